// SPDX-License-Identifier: MIT

import Expectations
import SeededRandom
import Testing

@testable import WaxwingDeclarations
@testable import WaxwingReflection

/// Names that nobody's compiler made. They may be read or not; they must not trap or take long.
@Suite struct HostileNameTests {
  /// Reads a name and everything that can be said of it.
  private static func exercise(_ name: String) {
    expectTakes(atMost: 10) { read(name) }
  }

  private static func read(_ name: String) {
    guard let symbol = SwiftSymbol(name) else { return }
    let declaration = symbol.declaration
    _ = declaration.description + declaration.runtimeDescription + declaration.qualifiedName
    for parameter in declaration.parameters { _ = parameter.type.mangled }
    _ = declaration.result.mangled
    _ = declaration.hashValue
  }

  private static func seeds() throws -> [[UInt8]] {
    let image = try ElfImage(path: ToolchainLibrary.foundationEssentials.path)
    return try image.symbols(in: .dynamic) { $0.starts(with: "$s".utf8) }.map {
      Array($0.name.utf8)
    }
  }

  private static func mutate(
    _ name: inout [UInt8], with other: [UInt8], _ random: inout SeededGenerator
  ) {
    let position = Int.random(in: 2..<name.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: name[position] = UInt8.random(in: 0x21...0x7e, using: &random)
    case 1: name.remove(at: position)
    case 2: name.insert(UInt8.random(in: 0...255, using: &random), at: position)
    case 3: name.removeSubrange(position...)
    case 4: name.insert(contentsOf: other.dropFirst(2).prefix(40), at: position)
    default: name.insert(contentsOf: name[position...].prefix(12), at: position)
    }
  }

  @Test func `20,000 mutations of real names are survived`() throws {
    let seeds = try Self.seeds()
    var random = TestSeed(0x5741_5857).generator
    for _ in 0..<20_000 {
      var name = try #require(seeds.randomElement(using: &random))
      let other = try #require(seeds.randomElement(using: &random))
      for _ in 0..<Int.random(in: 1...4, using: &random) where name.count > 3 {
        Self.mutate(&name, with: other, &random)
      }
      Self.exercise(String(decoding: name, as: UTF8.self))
    }
  }

  @Test func `random bytes are survived`() {
    var random = TestSeed(7).generator
    let letters = Array("$sASVCOPQRXYTWZFGILMfvgicrlqxyz_0123456789tmpnhKd".utf8)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...60, using: &random)
      let bytes = (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
      Self.exercise("$s" + String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(
    arguments: [
      ("optionals", "$s1a1fyySi" + String(repeating: "Sg", count: 5000) + "F"),
      ("metatypes", "$s1a1fyySi" + String(repeating: "m", count: 10_000) + "F"),
      ("doubling tuples", "$s1a1fyySiSg" + String(repeating: "_AAt", count: 3000) + "F"),
      ("doubling generics", "$s1a1fyySi" + String(repeating: "SDyAAAAG", count: 1500) + "F"),
      ("repeats", "$s1a1fyy" + String(repeating: "S2048i", count: 2000) + "F"),
      ("repeated substitutions", "$s1a1fyy1bV" + String(repeating: "A2048B", count: 2000) + "F"),
      ("nested types", "$s1a" + String(repeating: "1bV", count: 5000) + "1fyyF"),
      ("closures", "$s1a1fyyF" + String(repeating: "yycfU_", count: 2500)),
      ("members", "$s1a1fyy" + String(repeating: "1b_", count: 4000) + "QZF"),
      ("huge numbers", "$s1a1fyy99999999999999999999999999F"),
      ("huge index", "$s1a1fyyq9223372036854775807_F"),
      ("huge count", "$s1a1fyyxr99999999999_lF"),
      ("long identifier", "$s16000" + String(repeating: "a", count: 16_000)),
      (
        "words of words",
        "$s1000" + String(repeating: "aB", count: 500) + String(repeating: "0aabbA1c", count: 1000)
      ),
      ("punycode", "$s00999_" + String(repeating: "z", count: 1200) + "yyF"),
      ("only a prefix", "$s"), ("empty", ""),
      ("a megabyte", "$s" + String(repeating: "y", count: 1 << 20)),
      ("not ended", "$s4Bank7AccountC7deposit_4memoS2i_SStK"),
    ])
  func `names made to exhaust something are refused`(what: String, name: String) {
    Self.exercise(name)
    #expect(SwiftSymbol(name) == nil, "\(what)")
  }

  @Test(arguments: [
    "Si" + String(repeating: "Sg", count: 100),
    String(repeating: "Say", count: 60) + "Si" + String(repeating: "G", count: 60),
    String(repeating: "SDySS", count: 60) + "Si" + String(repeating: "G", count: 60),
  ])
  func `nesting that real programs have is read`(type: String) {
    #expect(FunctionDeclaration(symbol: "$s1a1fyy\(type)F")?.parameters.count == 1)
  }

  @Test(arguments: [
    "$s4Bank7AccountCMa", "$s4Bank7AccountCMn", "$s4Bank5PointVSQAAMc",
    "$s4Bank7AccountC7balanceSivpWvd",
    "$s4Bank5PointVSQAASQ2eeoiySbx_xtFZTW", "$s4Bank7AccountCN", "printf", "_ZN3foo3barEv",
    "$s4Bank7AccountC5ownerACSS_tcfCTq", "$s4Bank7AccountC5audityyFZTX",
  ])
  func `what is not a plain function is none`(symbol: String) {
    #expect(FunctionDeclaration(symbol: symbol) == nil)
  }

  @Test(arguments: [
    ("TX", SwiftSymbol.Variant.replacementVariable), ("Tu", .asyncFunctionPointer),
    ("TY0_", .asyncSuspendResume(1)), ("TQ1_", .asyncAwaitResume(2)), ("Tj", .dispatchThunk),
    ("Tq", .methodDescriptor), ("Tm", .merged), ("Tx", .replacementKey),
    ("TI", .replacementImplementation), ("TA", .other("TA")),
  ])
  func `suffixes tell what a symbol is besides its function`(
    suffix: String, variant: SwiftSymbol.Variant
  ) {
    let symbol = SwiftSymbol("$s4Bank7AccountC5fetchySaySSGSSYaKF" + suffix)
    #expect(symbol?.variants == [variant])
    #expect(symbol?.declaration.selector == "fetch(_:)")
  }
}
