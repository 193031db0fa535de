// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations
@testable import WaxwingReflection

/// `any P<X>`: the metadata that the compiler's code uses, found or made.
@Suite struct ConstrainedExistentialTests {
  private static let program = Result { try RunningProgram() }

  /// The types as symbols spell them, and what the compiler makes of them.
  private static let types: [(String, Any.Type)] = [
    ("Sl_pSi7ElementSlRts_XP", (any Collection<Int>).self),
    ("Sl_pSS7ElementSlRts_XP", (any Collection<String>).self),
    ("SaySl_pSi7ElementSlRts_XPG", [any Collection<Int>].self),
    ("Sl_pSi7ElementSlRts_XPSg", (any Collection<Int>)?.self),
    ("SDySSSl_pSi7ElementSlRts_XPG", [String: any Collection<Int>].self),
    ("Sl_pSl_pSi7ElementSlRts_XP7ElementSlRts_XP", (any Collection<any Collection<Int>>).self),
    ("ySl_pSi7ElementSlRts_XPc", ((any Collection<Int>) -> Void).self),
    ("Sl_pSi7ElementSlRts_XPm", (any Collection<Int>).Type.self),
    ("Sci_pSi7ElementSciRts_s5NeverO7FailureSciRtsXP", (any AsyncSequence<Int, Never>).self),
    ("22WaxwingReflectionTests10OpenParcel_pSi7ContentAaBPRts_XP", (any OpenParcel<Int>).self),
    (
      "22WaxwingReflectionTests10OpenBundle_pSS4LeftAaBPRts_Si5RightADRtsXP",
      (any OpenBundle<Int, String>).self
    ),
    (
      "22WaxwingReflectionTests10OpenParcel_XlSi7ContentAaBPRts_XP",
      (any OpenParcel<Int> & AnyObject).self
    ),
  ]

  @Test(arguments: types.map(\.0))
  func `the type has the compiler's metadata`(mangled: String) throws {
    let program = try Self.program.get()
    let expected = try #require(Self.types.first { $0.0 == mangled }).1
    let node = try #require(TypeNode(mangled: mangled), "it cannot be parsed")
    let found: Any.Type? = program.runtimeType(node)
    try #require(found != nil)
    #expect(found == expected)
  }

  /// The compiler puts other records among the names, so that bytes of anything look like references.
  @Test func `what looks like a shape is compared with the image before it is read`() throws {
    let text: StaticString = "what stands in this image"
    var size = 0
    while size < 1 << 20, Self.isInImage(text.utf8Start + size + (1 << 12)) { size += 1 << 12 }
    try #require(size > 0)
    // At each offset the bytes are taken for other references.
    for offset in 0..<16 {
      let bytes = UnsafeRawBufferPointer(start: text.utf8Start + offset, count: size - offset)
      let names = try #require(TypeNames(bytes))
      for (address, isUnique) in names.shapes {
        let shape = try #require(UnsafeRawPointer(bitPattern: address))
        _ = ExistentialShape(at: shape, isUnique: isUnique)
      }
    }
    let far: StaticString = "a\u{0}\u{b}wide 4ItemXj\u{0}\u{b}\u{7f}\u{7f}\u{7f}\u{7f}Xj\u{0}"
    let names = try #require(
      TypeNames(UnsafeRawBufferPointer(start: far.utf8Start, count: far.utf8CodeUnitCount)))
    #expect(names.shapes.isEmpty)
  }

  private static func isInImage(_ address: UnsafePointer<UInt8>) -> Bool {
    TypeNames(UnsafeRawBufferPointer(start: address, count: 1)) != nil
  }

  /// The compiler's spellings, from what it emits.
  @Test(arguments: [
    ("Sl_pSi7ElementSlRts_XP", [0], "Sl_px7ElementSlRts_XP"),
    (
      "Sci_pSi7ElementSciRts_s5NeverO7FailureSciRtsXP", [0, 1],
      "Sci_px7ElementSciRts_q_7FailureSciRtsXP"
    ),
    ("1m4Repo_pSS4ItemAaBPRts_XP", [0], "1m4Repo_px4ItemAaBPRts_XP"),
    ("1m3Two_pSS1AAaBPRts_Si1BADRtsXP", [1, 0], "1m3Two_pq_1AAaBPRts_x1BADRtsXP"),
    (
      "1m4Repo_AA5GBaseCySiGXcSS4ItemAaBPRts_XP", [0, 1], "1m4Repo_AA5GBaseCyxGXcq_4ItemAaBPRts_XP"
    ),
    ("1m4Repo_AA4BaseCXcSS4ItemAaBPRts_XP", [0], "1m4Repo_AA4BaseCXcx4ItemAaBPRts_XP"),
    ("1m4Repo_XlSS4ItemAaBPRts_XP", [0], "1m4Repo_Xlx4ItemAaBPRts_XP"),
    ("1m5Other_AA4RepopSS4ItemAaCPRts_XP", [0], "1m5Other_AA4Repopx4ItemAaCPRts_XP"),
  ])
  func `shapes are spelled as the compiler reads them`(
    mangled: String, indices: [Int], shape: String
  )
    throws
  {
    let type = try #require(TypeNode(mangled: mangled).flatMap { ConstrainedExistential($0) })
    let spelled = type.generalized(indices).inSymbols
    #expect(TypeNode(mangled: spelled) == TypeNode(mangled: shape), "\(spelled)")
    // What two modules can have is spelled without letters for what comes again.
    if shape.hasPrefix("S") { #expect(spelled == shape) }
  }

  @Test func `a shape that is made is the one that the compiler has made`() throws {
    let program = try Self.program.get()
    let type = try #require(
      TypeNode(mangled: "Sl_pSi7ElementSlRts_XP").flatMap { ConstrainedExistential($0) })
    let collection = try #require(program.protocolDescriptor(type.base.protocols[0]))
    let node = try #require(TypeNode(mangled: "ST"))
    let sequence = try #require(program.protocolDescriptor(node))
    let made = MadeExistentialShape.make(
      type, protocols: [collection],
      owners: [.nominal(NominalType(descriptor: sequence, kind: .protocol))],
      isClassBound: false
    ) { $0.descriptorAddress }
    let found: Any.Type? = made.type([.member("Element"): Int.self])
    #expect(found == (any Collection<Int>).self)
  }

  @Test func `messages spell the type as source does`() throws {
    let texts = [
      "Sl_pSi7ElementSlRts_XP": "any Collection<Int>",
      "1m4Repo_XlSS4ItemAaBPRts_XP": "any Repo<String> & AnyObject",
      "1m5Other_AA4RepopSS4ItemAaCPRts_XP": "any Other & Repo<String>",
      "Sci_pSi7ElementSciRts_s5NeverO7FailureSciRtsXP":
        "any AsyncSequence<Self.Element == Int, Self.Failure == Never>",
    ]
    for (mangled, text) in texts {
      #expect(TypeNode(mangled: mangled)?.shortDescription(in: "m") == text)
    }
  }
}

public protocol OpenParcel<Content> { associatedtype Content }
public protocol OpenBundle<Right, Left> {
  associatedtype Left
  associatedtype Right
}
