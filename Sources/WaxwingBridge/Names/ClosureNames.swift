// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
package import WaxwingReflection

extension ProgramClosure: NamedFunction {}

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
    if beginnings.contains(where: name.hasPrefix) || ClosurePlace(name) != nil { return true }
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

  /// The error's text for a place where no debugging information tells of closures.
  package static func undescribed(_ owner: String) -> String {
    "nothing tells where the closures of \(owner) are written: the program has no debugging information; use the "
      + "names that `waxwing points --closures` lists"
  }

  /// Why a closure cannot be overridden that several images have.
  static func copied(_ images: Int) -> String {
    "\(images) images have a copy of it, since its function is inlinable"
  }

  /// The closures that a name means.
  package static func meant<Closure: NamedFunction>(
    by name: String, among closures: [Closure]
  ) -> [Closure] {
    let exact = closures.filter { names(of: $0).contains(name) }
    guard exact.isEmpty, !name.hasPrefix("$s") else { return exact }
    // The function may be named as an overload is, with types.
    let text = functionText(of: name)
    let path = name.dropLast(text.count)
    let functions = closures.filter { Self.path(of: $0) == path }.map {
      OuterFunction(symbol: $0.symbol, declaration: $0.declaration.function)
    }
    let found = Set(NameResolver.meant(by: String(text), among: functions).map(\.symbol))
    return closures.filter { found.contains($0.symbol) }
  }

  /// The function that a closure stands in, under the closure's symbol.
  private struct OuterFunction: NamedFunction {
    let symbol: String
    let declaration: FunctionDeclaration
    var isAsync: Bool { declaration.isAsync }
  }

  /// `closure #2 in closure #1 in ` of a closure's name.
  private static func path(of closure: some NamedFunction) -> Substring {
    let declaration = closure.declaration
    return declaration.selector.dropLast(declaration.function.selector.count)
  }

  /// `boot(_:)` of `closure #2 in closure #1 in boot(_:)`.
  private static func functionText(of name: String) -> Substring {
    var rest = name[...]
    while let beginning = beginnings.first(where: rest.hasPrefix) {
      let inner = rest.dropFirst(beginning.count).drop(while: \.isWholeNumber)
      guard inner.hasPrefix(" in ") else { break }
      rest = inner.dropFirst(4)
    }
    return rest
  }

  /// The names of a closure: with the labels of the function that it stands in, without them, and its symbol; of an
  /// accessor also with its kind, `closure #1 in routes.get`.
  private static func names(of closure: some NamedFunction) -> [String] {
    let (whole, outer) = (closure.declaration.selector, closure.declaration.function)
    let short = path(of: closure) + outer.baseName
    let ending = MemberKind(outer.kind)?.ending ?? ""
    let plain = [whole, String(short), closure.symbol]
    return ending.isEmpty ? plain : plain + [whole + ending, short + ending]
  }

  /// The names of many closures, each one that means it alone.
  struct Spellings {
    /// How many closures of a scope a name means.
    private let counts: [Scope: [String: Int]]
    /// How many have a name with types.
    private let typed: [Scope: [String: Int]]

    init(_ closures: [some NamedFunction]) {
      var counts: [Scope: [String: Int]] = [:]
      var typed: [Scope: [String: Int]] = [:]
      for closure in closures {
        let scope = Scope(closure.declaration)
        for name in Set(ClosureNames.names(of: closure)) {
          counts[scope, default: [:]][name, default: 0] += 1
        }
        typed[scope, default: [:]][Self.typed(closure), default: 0] += 1
      }
      (self.counts, self.typed) = (counts, typed)
    }

    private static func typed(_ closure: some NamedFunction) -> String {
      path(of: closure) + MemberSpelling.typed(closure.declaration.function)
    }

    /// The name with labels, or if that means several with more, or else the symbol; and whether it means a closure in no static
    /// function, too.
    func name(of closure: some NamedFunction) -> (text: String, isDoubled: Bool) {
      let scope = Scope(closure.declaration)
      let selector = closure.declaration.selector
      let whole = selector + (MemberKind(closure.declaration.function.kind)?.ending ?? "")
      let typed = Self.typed(closure)
      let text =
        [selector, whole].first { counts[scope]?[$0] == 1 }
        ?? (counts[scope]?[typed] == nil && self.typed[scope]?[typed] == 1
          ? typed : closure.symbol)
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
    func names(_ function: FunctionDeclaration) -> [String] {
      [function.selector, function.baseName]
        + (MemberKind(function.kind).map { [function.selector + $0.ending] } ?? [])
    }
    let same = found { names($0).contains(wanted) }
    if !same.isEmpty { return same }
    let near = Set(Suggestions.nearest(to: wanted, in: Set(functions.flatMap(names))))
    return found { !near.isDisjoint(with: names($0)) }
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
