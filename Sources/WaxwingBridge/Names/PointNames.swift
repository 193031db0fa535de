// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// The names of many functions, each the shortest that means it alone. A function is asked for by its place among
/// them.
struct PointNames<Function: NamedFunction> {
  /// Where a name is looked for.
  private struct Scope: Hashable {
    /// The number of the type; nil for a module.
    let type: Int?
    let module: String
    let kind: MemberKind
    var isStatic: Bool
  }

  /// What is found out about each function once.
  private struct Place {
    let type: Int?
    let scope: Scope?
    let baseName: String
  }

  private let functions: [Function]
  private let places: [Place]
  /// The functions of each scope by base name.
  private let scopes: [Scope: [String: [Int]]]
  /// How many types have the name.
  private let twins: [String: Set<NominalType>]

  init(_ functions: [Function]) {
    // Comparing types takes long: each has a number.
    var types: [NominalType: Int] = [:]
    var scopes: [Scope: [String: [Int]]] = [:]
    var places: [Place] = []
    places.reserveCapacity(functions.count)
    for (index, function) in functions.enumerated() {
      let declaration = function.declaration
      let type = declaration.context.memberOf?.unbound.number(in: &types)
      let scope = MemberKind(declaration.kind).map { Self.scope(declaration, $0, type) }
      let place = Place(type: type, scope: scope, baseName: declaration.baseName)
      places.append(place)
      if let scope { scopes[scope, default: [:]][place.baseName, default: []].append(index) }
    }
    (self.functions, self.places, self.scopes) = (functions, places, scopes)
    twins = Dictionary(grouping: types.keys, by: \.qualifiedName).mapValues(Set.init)
  }

  private static func scope(
    _ declaration: FunctionDeclaration, _ kind: MemberKind, _ type: Int?
  ) -> Scope {
    Scope(
      type: type, module: type == nil ? declaration.module : "", kind: kind,
      isStatic: type != nil && declaration.isStatic)
  }

  /// The name of the type for `class`: its symbol where several have the name.
  func typeName(_ type: NominalType) -> String {
    guard type.isHidden, (twins[type.qualifiedName]?.count ?? 0) > 1 else {
      return type.qualifiedName
    }
    return "$s" + TypeNode.nominal(type).mangled
  }

  /// Whether there is a getter or a setter of the property or subscript that an accessor belongs to.
  func hasAccessor(ofPropertyOf accessor: Int) -> Bool {
    let declaration = functions[accessor].declaration
    return [MemberKind.getter, .setter].contains { kind in
      let scope = Self.scope(declaration, kind, places[accessor].type)
      return scopes[scope]?[places[accessor].baseName]?.contains {
        functions[$0].declaration.labels == declaration.labels
      } ?? false
    }
  }

  /// The text after the owner: a name if that is enough, otherwise a text in quotes.
  func member(_ place: Int) -> String {
    let declaration = functions[place].declaration
    guard let scope = places[place].scope else { return declaration.selector }
    let labels = declaration.labels.compactMap(\.self)
    let joined = ([places[place].baseName] + labels).joined(separator: "_")
    for name in [places[place].baseName, joined] where LuaName.isValid(name) {
      if means(name, place, in: scope) { return name }
    }
    return shortest(place, in: scope)
  }

  private func shortest(_ place: Int, in scope: Scope) -> String {
    let selector = functions[place].declaration.selector
    if means(selector, place, in: scope) { return selector }
    return MemberSpelling.shortest(of: functions[place]) { meant(by: $0, in: scope) }
  }

  /// Whether a text, which is one of a function's names, means no other.
  private func means(_ text: String, _ place: Int, in scope: Scope) -> Bool {
    let candidates = candidates(text, in: scope)
    if candidates == [place], !text.hasPrefix("$s") { return true }
    return NameResolver.meant(by: text, among: candidates.map { functions[$0] })
      == [functions[place]]
  }

  /// The functions that a text may mean.
  private func meant(by text: String, in scope: Scope) -> [Function] {
    NameResolver.meant(by: text, among: candidates(text, in: scope).map { functions[$0] })
  }

  /// A name begins with the base name of its function, behind which no further letter of that comes.
  private func candidates(_ text: String, in scope: Scope) -> [Int] {
    guard let all = scopes[scope] else { return [] }
    var found: [Int] = []
    for end in text.indices.dropFirst() {
      let next = text[end]
      if next.isASCII && (next.isLetter || next.isNumber) { continue }
      if let functions = all[String(text[..<end])] { found += functions }
    }
    if let functions = all[text] { found += functions }
    return found
  }

  /// The whole name, as in `explain` and manifests.
  func selector(_ place: Int, owner: String) -> String {
    let function = functions[place]
    guard let scope = places[place].scope else {
      guard let kind = function.declaration.kind.accessorName else { return function.symbol }
      return function.declaration.qualifiedName + ".\(kind)"
    }
    let member = shortest(place, in: scope)
    var other = scope
    other.isStatic = false
    let isDoubled = scope.isStatic && !meant(by: member, in: other).isEmpty
    return WrittenPoint.text(owner, isStatic: isDoubled, member, scope.kind)
  }
}

extension PointNames: Sendable where Function: Sendable {}

extension NominalType {
  fileprivate func number(in known: inout [NominalType: Int]) -> Int {
    if let number = known[self] { return number }
    known[self] = known.count
    return known.count - 1
  }
}

extension MemberKind {
  /// Creates the kind; nil if scripts have no word for it.
  package init?(_ kind: DeclarationKind) {
    guard let found = Self.words.first(where: { $0.0.includes(kind) }) else { return nil }
    self = found.0
  }
}

extension FunctionDeclaration {
  /// `Bank.Account.withdraw(_:memo:)`, `Bank.Account.title.get`: what all overloads are called.
  package var pointName: String {
    guard let kind = MemberKind(kind) else { return qualifiedName }
    return WrittenPoint.text(typeName ?? module, isStatic: false, selector, kind)
  }
}
