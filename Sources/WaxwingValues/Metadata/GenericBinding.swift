// SPDX-License-Identifier: MIT

internal import Synchronization
package import WaxwingDeclarations
package import WaxwingReflection

/// The types that generic parameters stand for, level by level.
package struct GenericBinding {
  package let types: [[any Any.Type]]

  package init(types: [[any Any.Type]]) {
    self.types = types
  }

  /// The runtime's metadata for a type with these parameters in it.
  ///
  /// The runtime reads names with parameters in them for a context that it is given: its
  /// descriptor says how many parameters there are at each level. A function has none, so one is
  /// made up for it (`SubstGenericParametersFromMetadata` in the runtime's MetadataLookup.cpp).
  package func resolve(_ node: TypeNode, in program: RunningProgram) -> (any Any.Type)? {
    if !node.isDependent { return program.runtimeType(node) }
    if case .genericParameter(let depth, let index) = node {
      return types.indices.contains(depth) && types[depth].indices.contains(index)
        ? types[depth][index] : nil
    }
    if node.hasPackExpansion { return nil }
    let key = ResolvedTypes.Key(node: node, types: types.map { $0.map { ObjectIdentifier($0) } })
    return ResolvedTypes.type(key) { find(node, in: program) }
  }

  private func find(_ node: TypeNode, in program: RunningProgram) -> (any Any.Type)? {
    let levels = filledLevels
    if let described = DescribedParts(node, depth: levels.count, in: program) {
      return GenericBinding(types: levels + [described.types]).find(described.node, in: program)
    }
    guard let (type, lifted) = node.liftingConstrainedExistentials(depth: levels.count) else {
      return findNamed(node, in: program)
    }
    var made: [any Any.Type] = []
    for existential in lifted {
      let found = program.constrainedExistential(existential) { resolve($0, in: program) }
      guard let found else { return nil }
      made.append(found)
    }
    return GenericBinding(types: levels + [made]).resolve(type, in: program)
  }

  /// The levels without empty ones at the end, which the runtime does not count.
  private var filledLevels: [[any Any.Type]] {
    Array(types.prefix((types.lastIndex { !$0.isEmpty } ?? -1) + 1))
  }

  private func findNamed(_ node: TypeNode, in program: RunningProgram) -> (any Any.Type)? {
    let encoded = node.encoded { nominal in
      if let address = nominal.descriptorAddress { return address }
      guard nominal.isHidden else { return nil }
      return TypeDescriptors.descriptor(of: nominal, in: program)
        .map { UInt(bitPattern: $0.address) }
    }
    // Kept for good: the runtime may hold on to the name of a type that it has found.
    let name = UnsafeMutableRawBufferPointer.allocate(
      byteCount: encoded.bytes.count, alignment: MemoryLayout<UInt>.alignment)
    name.copyBytes(from: encoded.bytes)
    let arguments = types.joined().map { Optional(TypeMetadata.pointer(to: $0)) }
    guard let start = name.baseAddress else { return nil }
    return arguments.withUnsafeBufferPointer { arguments in
      _getTypeByMangledNameInContext(
        start.assumingMemoryBound(to: UInt8.self), UInt(encoded.nameLength),
        genericContext: MadeUpContext.descriptor(types.map(\.count)),
        genericArguments: UnsafeRawPointer(arguments.baseAddress))
    }
  }
}

/// Types that were found before: the name that each was found by is kept for good.
private enum ResolvedTypes {
  struct Key: Hashable {
    let node: TypeNode
    let types: [[ObjectIdentifier]]
  }

  private static let known = Mutex<[Key: any Any.Type]>([:])

  static func type(_ key: Key, _ find: () -> (any Any.Type)?) -> (any Any.Type)? {
    if let type = known.withLock({ $0[key] }) { return type }
    guard let found = find() else { return nil }
    known.withLock { $0[key] = found }
    return found
  }
}
