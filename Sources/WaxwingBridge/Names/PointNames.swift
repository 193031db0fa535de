// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// The names of many functions, each the shortest that means it alone.
struct PointNames<Function: NamedFunction> {
  /// Where a name is looked for.
  struct Scope: Hashable {
    let type: NominalType?
    let module: String
    let kind: MemberKind
    let isStatic: Bool

    init?(_ declaration: FunctionDeclaration) {
      guard let kind = MemberKind(declaration.kind) else { return nil }
      self.init(declaration, kind)
    }

    init(_ declaration: FunctionDeclaration, _ kind: MemberKind) {
      self.kind = kind
      type = declaration.context.memberOf?.unbound
      module = type == nil ? declaration.module : ""
      isStatic = type != nil && declaration.isStatic
    }

    init(_ other: Scope, isStatic: Bool) {
      (type, module, kind) = (other.type, other.module, other.kind)
      self.isStatic = isStatic
    }
  }

  /// The functions of each scope by base name.
  private let scopes: [Scope: [String: [Function]]]
  /// How many types have the name.
  private let twins: [String: Set<NominalType>]

  init(_ functions: [Function]) {
    var scopes: [Scope: [String: [Function]]] = [:]
    for function in functions {
      guard let scope = Scope(function.declaration) else { continue }
      scopes[scope, default: [:]][function.declaration.baseName, default: []].append(function)
    }
    self.scopes = scopes
    let types = Set(functions.compactMap { $0.declaration.context.memberOf?.unbound })
    twins = Dictionary(grouping: types, by: \.qualifiedName).mapValues(Set.init)
  }

  /// The name of the type for `class`: its symbol where several have the name.
  func typeName(_ type: NominalType) -> String {
    guard type.isHidden, (twins[type.qualifiedName]?.count ?? 0) > 1 else {
      return type.qualifiedName
    }
    return "$s" + TypeNode.nominal(type).mangled
  }

  /// Whether there is a getter or a setter of the property or subscript that an accessor belongs to.
  func hasAccessor(ofPropertyOf accessor: FunctionDeclaration) -> Bool {
    [MemberKind.getter, .setter].contains { kind in
      let scope = Scope(accessor, kind)
      return scopes[scope]?[accessor.baseName]?.contains {
        $0.declaration.labels == accessor.labels
      } ?? false
    }
  }

  /// The text after the owner: a name if that is enough, otherwise a text in quotes.
  func member(_ function: Function) -> String {
    let declaration = function.declaration
    guard let scope = Scope(declaration) else { return declaration.selector }
    let labels = declaration.labels.compactMap(\.self)
    let joined = ([declaration.baseName] + labels).joined(separator: "_")
    for name in [declaration.baseName, joined] where LuaName.isValid(name) {
      if meant(by: name, in: scope) == [function] { return name }
    }
    return shortest(function, in: scope)
  }

  private func shortest(_ function: Function, in scope: Scope) -> String {
    MemberSpelling.shortest(of: function) { meant(by: $0, in: scope) }
  }

  /// The functions that a text may mean. A name begins with the base name of its function.
  private func meant(by text: String, in scope: Scope) -> [Function] {
    guard let all = scopes[scope] else { return [] }
    let ends = text.indices.dropFirst() + [text.endIndex]
    let candidates = ends.compactMap { all[String(text[..<$0])] }.joined()
    return NameResolver.meant(by: text, among: Array(candidates))
  }

  /// The whole name, as in `explain` and manifests.
  func selector(_ function: Function, owner: String) -> String {
    let declaration = function.declaration
    guard let scope = Scope(declaration) else {
      guard let kind = declaration.kind.accessorName else { return function.symbol }
      let accessor = ".\(kind)"
      return declaration.qualifiedName + accessor
    }
    let member = shortest(function, in: scope)
    let isDoubled =
      scope.isStatic && !meant(by: member, in: Scope(scope, isStatic: false)).isEmpty
    return WrittenPoint.text(owner, isStatic: isDoubled, member, scope.kind)
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
