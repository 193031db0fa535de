// SPDX-License-Identifier: MIT

import FoundationEssentials
import WaxwingReflection

/// The compiler's output for a module: its declarations as the source has them, by symbol.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable {
      let identifier: String
    }

    struct Identifier: Decodable {
      let precise: String
    }

    struct Fragment: Decodable {
      let kind: String
      let spelling: String
    }

    struct Comment: Decodable {
      struct Line: Decodable {
        let text: String
      }

      let lines: [Line]
    }

    let kind: Kind
    let identifier: Identifier
    let declarationFragments: [Fragment]?
    let docComment: Comment?
  }

  let symbols: [Symbol]

  /// How methods and accessors use `self`, by the functions' symbols.
  var selfKinds: [String: SelfKind] {
    var kinds: [String: SelfKind] = [:]
    for symbol in symbols {
      kinds.merge(symbol.selfKinds) { first, _ in first }
    }
    return kinds
  }

  /// The default values of functions' parameters as the source has them, by the functions' symbols and
  /// the parameters' indices.
  var defaults: [String: [Int: String]] {
    var defaults: [String: [Int: String]] = [:]
    for symbol in symbols {
      guard let name = symbol.name, let fragments = symbol.declarationFragments else { continue }
      let values = ParameterDefaults(fragments).values
      if !values.isEmpty { defaults[name] = values }
    }
    return defaults
  }

  /// The comments above declarations, by the declarations' symbols.
  var comments: [String: [String]] {
    var comments: [String: [String]] = [:]
    for symbol in symbols {
      guard let name = symbol.name, let comment = symbol.docComment else { continue }
      comments[name] = comment.lines.map(\.text)
    }
    return comments
  }
}

extension SymbolGraph.Symbol {
  /// The symbol as the linker knows it. It is nil for symbols of other languages, and for inherited
  /// or synthesized members, which are listed with a second symbol after the first.
  fileprivate var name: String? {
    guard identifier.precise.hasPrefix("s:"), !identifier.precise.contains("::") else { return nil }
    return "$s" + identifier.precise.dropFirst(2)
  }

  private static let methods: Set = ["swift.method", "swift.func.op"]
  private static let storage: Set = ["swift.property", "swift.subscript"]

  fileprivate var selfKinds: [String: SelfKind] {
    guard let symbol = name else { return [:] }
    let text = (declarationFragments ?? []).map(\.spelling).joined()
    if Self.methods.contains(kind.identifier) { return [symbol: Self.methodKind(text)] }
    guard Self.storage.contains(kind.identifier), symbol.hasSuffix("p"),
      let accessors = Self.accessors(text)
    else { return [:] }
    let stem = symbol.dropLast()
    var kinds: [String: SelfKind] = [:]
    // Without a word a getter may be `consuming`, which is not printed.
    if accessors.contains("mutating get") { kinds[stem + "g"] = .mutating }
    kinds[stem + "s"] = accessors.contains("nonmutating set") ? .nonmutating : .mutating
    return kinds
  }

  /// `@discardableResult mutating func add(_ x: Int)`
  private static func methodKind(_ text: String) -> SelfKind {
    let words = text.prefix(upTo: text.firstRange(of: "func ")?.lowerBound ?? text.endIndex)
      .split(separator: " ")
    if words.contains("mutating") { return .mutating }
    return words.contains("consuming") || words.contains("__consuming")
      ? .consuming : .nonmutating
  }

  /// The accessors with the word before each: of `var x: Int { mutating get async nonmutating set }`
  /// these are `mutating get` and `nonmutating set`. Nil: none are printed, as of stored properties.
  private static func accessors(_ text: String) -> Set<String>? {
    guard text.hasSuffix("}"), let start = text.lastIndex(of: "{") else { return nil }
    let words = text[text.index(after: start)...].dropLast().split(separator: " ")
    return Set(zip(words, words.dropFirst()).map { "\($0) \($1)" })
  }
}
