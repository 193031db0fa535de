// SPDX-License-Identifier: MIT

extension Demangler {
  mutating func boundGenericType() throws(DemanglingFailure) -> StackItem {
    let lists = try popArgumentLists()
    let argumentDepth = takeDepth()
    let nominal = try popNominal()
    // Arguments may end up below every level of the nominal type.
    nest(by: argumentDepth)
    let item = StackItem.type(.nominal(try bound(nominal, to: lists[...])))
    try remember(item)
    return item
  }

  /// Generic arguments by nesting level, the innermost type's first.
  mutating func popArgumentLists() throws(DemanglingFailure) -> [[TypeNode]] {
    while case .retroactiveConformance? = top { _ = try pop() }
    var lists: [[TypeNode]] = []
    repeat {
      var list: [TypeNode] = []
      while let type = try popTypeIfPresent() { list.append(type) }
      lists.append(list.reversed())
      if try popEmptyList() { return lists }
    } while try popFirstElement()
    throw DemanglingFailure()
  }

  private func bound(
    _ nominal: NominalType, to lists: ArraySlice<[TypeNode]>
  ) throws(DemanglingFailure) -> NominalType {
    guard let arguments = lists.first else { throw DemanglingFailure() }
    let rest = lists.dropFirst()
    return NominalType(
      kind: nominal.kind, name: nominal.name,
      context: rest.isEmpty ? nominal.context : try bound(nominal.context, to: rest),
      arguments: arguments)
  }

  private func bound(
    _ context: DeclarationContext, to lists: ArraySlice<[TypeNode]>
  ) throws(DemanglingFailure) -> DeclarationContext {
    switch context {
    case .module: throw DemanglingFailure()
    case .type(let type): return .type(try bound(type, to: lists))
    case .extension(let type, let module, let conditions):
      return .extension(
        of: try bound(type, to: lists), module: module, conditions: conditions)
    case .declaration(let declaration, _): return try bound(declaration, to: lists)
    }
  }

  /// Functions and initializers take arguments of their own, accessors take an empty list, and
  /// closures, properties and subscripts leave all to their context.
  private func bound(
    _ declaration: FunctionDeclaration, to lists: ArraySlice<[TypeNode]>
  ) throws(DemanglingFailure) -> DeclarationContext {
    guard let arguments = lists.first else { throw DemanglingFailure() }
    var declaration = declaration
    var rest = lists
    switch declaration.kind {
    case .function, .operatorFunction, .allocatingInitializer, .initializer: rest.removeFirst()
    case let kind where kind.isAccessor:
      guard arguments.isEmpty else { throw DemanglingFailure() }
      rest.removeFirst()
    default: break
    }
    let consumed = rest.count < lists.count
    if !rest.isEmpty { declaration.context = try bound(declaration.context, to: rest) }
    return .declaration(declaration, arguments: consumed ? arguments : [])
  }
}
