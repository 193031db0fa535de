// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
package import WaxwingReflection

extension AsyncClosure: NamedFunction {
  package var isAsync: Bool { true }
}

/// The names of closures in patches: `closure #1 in boot(routes:)`, `closure #1 in boot`,
/// `closure #2 in closure #1 in boot()`, or a symbol.
package enum ClosureNames {
  /// The declaration that the function is a member of, in which closures stand.
  package struct Scope: Hashable {
    package let type: NominalType?
    let module: String
    package let isStatic: Bool

    package init(_ closure: FunctionDeclaration) {
      let function = closure.function
      type = function.context.memberOf?.unbound
      module = type == nil ? function.module : ""
      isStatic = type != nil && function.isStatic
    }

    init(_ other: Scope, isStatic: Bool) {
      (type, module, self.isStatic) = (other.type, other.module, isStatic)
    }
  }

  private static let beginnings = ["closure #", "implicit closure #"]

  /// Whether a name is that of a closure.
  package static func isClosure(_ name: String) -> Bool {
    if beginnings.contains(where: name.hasPrefix) { return true }
    guard name.hasPrefix("$s"), let kind = FunctionDeclaration(symbol: name)?.kind else {
      return false
    }
    return switch kind {
    case .closure, .implicitClosure: true
    default: false
    }
  }

  /// Whether a part of names may be one of closures' names.
  package static func mayBePart(_ text: String) -> Bool { text.lowercased().contains("closure") }

  /// The closures that a name means.
  package static func meant<Closure: NamedFunction>(
    by name: String, among closures: [Closure]
  ) -> [Closure] {
    closures.filter { names(of: $0).contains(name) }
  }

  /// The names of a closure: with the labels of the function that it stands in, without them, and its symbol.
  private static func names(of closure: some NamedFunction) -> [String] {
    let (whole, outer) = (closure.declaration.selector, closure.declaration.function)
    let short = whole.dropLast(outer.selector.count) + outer.baseName
    return [whole, String(short), closure.symbol]
  }

  /// The names of many closures, each one that means it alone.
  struct Spellings {
    /// How many closures of a scope a name means.
    private let counts: [Scope: [String: Int]]

    init(_ closures: [some NamedFunction]) {
      var counts: [Scope: [String: Int]] = [:]
      for closure in closures {
        for name in Set(ClosureNames.names(of: closure)) {
          counts[Scope(closure.declaration), default: [:]][name, default: 0] += 1
        }
      }
      self.counts = counts
    }

    /// The name with labels, or if that means several the symbol; and whether it means a closure in no static
    /// function, too.
    func name(of closure: some NamedFunction) -> (text: String, isDoubled: Bool) {
      let scope = Scope(closure.declaration)
      let selector = closure.declaration.selector
      let text = counts[scope]?[selector] == 1 ? selector : closure.symbol
      let isDoubled = scope.isStatic && counts[Scope(scope, isStatic: false)]?[text] != nil
      return (text, isDoubled)
    }
  }

  /// A name with labels that means a closure alone, or its symbol.
  package static func spelling<Closure: NamedFunction>(
    of closure: Closure, among closures: [Closure]
  ) -> String {
    Spellings(closures).name(of: closure).text
  }

  /// The closures that may be meant by a name which none has: those of the same function, or of functions with similar
  /// names.
  package static func near<Closure: NamedFunction>(
    _ name: String, among closures: [Closure]
  ) -> [Closure] {
    let sorted = sorted(closures)
    let functions = sorted.map(\.declaration.function)
    let wanted = String(name.suffix(from: function(in: name)))
    func found(_ isMeant: (FunctionDeclaration) -> Bool) -> [Closure] {
      Array(sorted.filter { isMeant($0.declaration.function) }.prefix(10))
    }
    let same = found { $0.selector == wanted || $0.baseName == wanted }
    if !same.isEmpty { return same }
    let names = Set(functions.flatMap { [$0.selector, $0.baseName] })
    let near = Set(Suggestions.nearest(to: wanted, in: names))
    return found { near.contains($0.selector) || near.contains($0.baseName) }
  }

  /// Where the name of the function begins in a closure's name: behind the last ` in `.
  private static func function(in name: String) -> String.Index {
    let word = Array(" in ")
    for index in name.indices.reversed() where name[index...].starts(with: word) {
      return name.index(index, offsetBy: word.count)
    }
    return name.startIndex
  }

  /// Closures by the functions that they stand in, each before those in it.
  package static func sorted<Closure: NamedFunction>(_ closures: [Closure]) -> [Closure] {
    closures.map { (key: Key($0), closure: $0) }.sorted { $0.key < $1.key }.map(\.closure)
  }

  private struct Key: Comparable {
    let function: String
    let numbers: [Int]
    let symbol: String

    init(_ closure: some NamedFunction) {
      function = closure.declaration.function.qualifiedName
      numbers = Self.numbers(closure.declaration).reversed()
      symbol = closure.symbol
    }

    /// Innermost first.
    private static func numbers(_ declaration: FunctionDeclaration) -> [Int] {
      switch declaration.kind {
      case .closure(let number), .implicitClosure(let number):
        [number] + (declaration.enclosing.map(numbers) ?? [])
      default: []
      }
    }

    static func < (left: Key, right: Key) -> Bool {
      if left.function != right.function { return left.function < right.function }
      if left.numbers != right.numbers {
        return left.numbers.lexicographicallyPrecedes(right.numbers)
      }
      return left.symbol < right.symbol
    }
  }
}
