// SPDX-License-Identifier: MIT

extension NominalType {
  /// The character with which a descriptor's address begins. No name begins with it.
  private static let descriptorMark = "@"

  /// A type that is known by where its descriptor is, not by name: as the program's own metadata
  /// refers to types.
  /// - Parameter outer: The type that it is in, if it is in one.
  package init(descriptor: UInt, kind: Kind, in outer: NominalType? = nil) {
    self.init(
      kind: kind, name: DeclarationName(Self.descriptorMark + String(descriptor, radix: 16)),
      context: outer.map { .type($0) } ?? .module(""), arguments: [])
  }

  /// The address of the descriptor; nil for types that have a name.
  package var descriptorAddress: UInt? {
    guard name.text.hasPrefix(Self.descriptorMark) else { return nil }
    return UInt(name.text.dropFirst(), radix: 16)
  }

  /// The type with its own parameters as arguments, `Box<T>`.
  /// - Parameter counts: How many parameters the type and each type around it add, outermost first;
  ///   those that add none are no level.
  package func boundToParameters(_ counts: [Int]) -> NominalType {
    let outer = counts.dropLast()
    let depth = outer.count { $0 > 0 }
    let own = (0..<(counts.last ?? 0)).map {
      TypeNode.genericParameter(depth: depth, index: $0)
    }
    return NominalType(
      kind: kind, name: name, context: context.bound(outer.map(\.self)), arguments: own)
  }

  /// The type with these arguments; those around it have none.
  package func bound(to arguments: [TypeNode]) -> NominalType {
    NominalType(kind: kind, name: name, context: context, arguments: arguments)
  }

  /// The arguments of the type and of those around it, outermost first, without empty levels.
  package var argumentLevels: [[TypeNode]] {
    let outer = context.memberOf?.argumentLevels ?? []
    return arguments.isEmpty ? outer : outer + [arguments]
  }
}

extension DeclarationContext {
  fileprivate func bound(_ counts: [Int]) -> DeclarationContext {
    switch self {
    case .type(let type): .type(type.boundToParameters(counts))
    case .extension(let type, let module, let conditions):
      .extension(of: type.boundToParameters(counts), module: module, conditions: conditions)
    case .module, .declaration: self
    }
  }
}
