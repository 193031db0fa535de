// SPDX-License-Identifier: MIT
import Foundation
import SeededRandom

/// Everything that is generated.
struct EchoFixture {
  private let seed: UInt64
  private var random: SeededGenerator
  private var pool = TypePool()
  private var table = DrawTable()
  private var cases: [GeneratedCase] = []
  private var types = ""
  private var functions = ""

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  /// The sources, by file name.
  var files: [(name: String, text: String)] {
    let list = cases.map { "  " + $0.caseText }.joined(separator: ",\n")
    let checks = cases.map(\.checkText).joined()
    return [
      ("Types.swift", Self.head + pool.text + types + table.text),
      ("Functions.swift", Self.head + functions),
      (
        "Cases.swift",
        Self.head
          + "/// What the functions were generated from.\npublic let echoSeed: UInt64 = \(seed)\n"
          + "public let echoCases: [EchoCase] = [\n\(list)\n]\n" + checks
      ),
    ]
  }

  mutating func generate() {
    for _ in 0..<24 { pool.addNominal(&table, &random) }
    var index = 0
    for kind in Home.Kind.allCases {
      for number in 0..<Self.homes(kind) { addHome(kind, number, &index) }
    }
    for _ in 0..<20 { addProperty(&index) }
    for _ in 0..<12 { addSubscript(&index) }
    for _ in 0..<16 { addInitializer(&index) }
    addClosures(&index)
    for _ in 0..<5 {
      for form in GenericPair.Form.allCases { addGeneric(form, &index) }
    }
  }

  private static let head = "import Foundation\n\n"

  private static func homes(_ kind: Home.Kind) -> Int {
    switch kind {
    case .module, .class: 3
    case .structMutating: 4
    case .struct: 5
    case .classStatic, .structStatic: 1
    case .enum: 2
    }
  }

  private mutating func addHome(_ kind: Home.Kind, _ number: Int, _ index: inout Int) {
    let home = home(kind, number)
    functions += kind == .module ? "" : header(home)
    for _ in 0..<7 {
      let pair = FunctionPair(
        index: index, home: home,
        signature: .random(
          &pool, isMutating: home.isMutating, isShort: home.hasToTell,
          &random))
      index += 1
      functions += pair.declarations
      cases += pair.cases(&table)
    }
    functions += kind == .module ? "" : "}\n"
  }

  private mutating func home(_ kind: Home.Kind, _ number: Int) -> Home {
    let name = "Home\(kind)\(number)".replacingOccurrences(of: "`", with: "")
    let type: EchoType
    switch kind {
    case .module: return Home(kind: kind, name: "", draw: nil)
    case .class: type = .plain(name, draw: "\(name)()")
    case .classStatic, .structStatic: return Home(kind: kind, name: name, draw: nil)
    case .struct, .structMutating, .enum:
      var fields: [(label: String?, type: EchoType)] = []
      for field in 0..<[0, 1, 2, 3, 5][number] { fields.append(("f\(field)", pool.type(&random))) }
      type = homeType(kind, name, fields)
    }
    let word = kind == .structMutating ? "mutating " : "nonmutating "
    return Home(
      kind: kind, name: name, draw: table.function(for: type), word: number > 0 ? word : "")
  }

  /// Declares the type's stored parts.
  private mutating func homeType(
    _ kind: Home.Kind, _ name: String, _ fields: [(label: String?, type: EchoType)]
  ) -> EchoType {
    if kind == .enum {
      let payload = pool.type(&random)
      types += "public enum \(name) { case one, two(\(payload.spelling)), three(Token) }\n"
      let two = table.arguments([(nil, payload)])
      return .plain(
        name,
        draw: "switch dice.below(3) { case 0: .one; case 1: .two\(two); default: .three(Token()) }")
    }
    let all = fields + (kind == .structMutating ? [("mark", Signature.mark)] : [])
    let texts = all.map { "  public var \($0.label ?? "_"): \($0.type.spelling)\n" }
    types += "public struct \(name) {\n" + texts.joined() + "}\n"
    return .plain(name, draw: name + table.arguments(all))
  }

  private func header(_ home: Home) -> String {
    switch home.kind {
    case .class, .classStatic: "public class \(home.name): Tracked, @unchecked Sendable {\n"
    case .structStatic: "public struct \(home.name) {\n"
    default: "extension \(home.name) {\n"
    }
  }
}

// MARK: - Members that are no methods

extension EchoFixture {
  private mutating func addProperty(_ index: inout Int) {
    var type = pool.type(&random)
    while !Signature.canBePassed(type) { type = pool.type(&random) }
    let pair = PropertyPair(index: index, isClass: Bool.random(using: &random), type: type)
    index += 1
    functions += pair.declaration(&table)
    cases += pair.cases(&table)
  }

  private mutating func addSubscript(_ index: inout Int) {
    let pair = SubscriptPair(
      index: index, isClass: Bool.random(using: &random), signature: plainSignature())
    index += 1
    functions += pair.declaration
    cases += pair.cases(&table)
  }

  private mutating func addInitializer(_ index: inout Int) {
    let pair = InitializerPair(
      index: index, isClass: Bool.random(using: &random), signature: plainSignature())
    index += 1
    functions += pair.declaration
    cases += pair.cases(&table)
  }

  private mutating func addClosures(_ index: inout Int) {
    functions += ClosurePair.header
    for number in 0..<30 {
      let forms = ClosurePair.Form.allCases
      let pair = ClosurePair(
        index: index, form: forms[number % forms.count], first: plainType(), second: plainType())
      index += 1
      functions += pair.declarations
      cases += pair.cases(&table)
    }
    functions += "}\n"
  }

  private mutating func addGeneric(_ form: GenericPair.Form, _ index: inout Int) {
    var first = form == .hashable ? pool.key(&random) : plainType()
    // Of a nil, Lua code that returns it as a `T?` cannot say which one it is.
    while first.isOptional { first = plainType() }
    let pair = GenericPair(index: index, form: form, first: first, second: plainType())
    index += 1
    functions += pair.declarations
    cases += pair.cases(&table)
  }

  /// Not a tuple, of which a function would return the elements one by one.
  private mutating func plainType() -> EchoType {
    while true {
      let type = pool.type(&random)
      if type.elements == nil { return type }
    }
  }

  /// A signature of at least one parameter, none of them special.
  private mutating func plainSignature() -> Signature {
    while true {
      let signature = Signature.random(&pool, &random)
      if signature.failure == nil, signature.inouts.isEmpty, !signature.parameters.isEmpty {
        return signature
      }
    }
  }
}
