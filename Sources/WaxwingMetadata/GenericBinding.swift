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
    let key = ResolvedTypes.Key(node: node, types: types.map { $0.map { ObjectIdentifier($0) } })
    return ResolvedTypes.type(key) { find(node, in: program) }
  }

  private func find(_ node: TypeNode, in program: RunningProgram) -> (any Any.Type)? {
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

/// Descriptors of contexts that no source has, one for each list of parameter counts: structs, each
/// in the one before it, the outermost in a module.
///
///     module: { 0, no parent, name: relative pointer } "A"
///     struct: { flags, parent, … 24 bytes … } { 8 bytes }
///             { parameters, requirements, key arguments, 0: UInt16 } { 0x80 } for each parameter
///
/// include/swift/ABI/Metadata.h and GenericContext.h, Swift 6.3. The runtime reads kind, parent and
/// numbers only.
package enum MadeUpContext {
  private static let genericStruct: UInt32 = 17 | 0x80
  private static let moduleSize = 16
  private static let headerOffset = 36

  private static let known = Mutex<[[Int]: UInt]>([:])

  package static func descriptor(_ counts: [Int]) -> UnsafeRawPointer? {
    let address = known.withLock { known in
      let address = known[counts] ?? UInt(bitPattern: make(counts))
      known[counts] = address
      return address
    }
    return UnsafeRawPointer(bitPattern: address)
  }

  /// Each level's descriptor behind its parent's, in memory that is kept for good.
  private static func make(_ counts: [Int]) -> UnsafeRawPointer {
    let totals = counts.indices.map { counts.prefix($0 + 1).reduce(0, +) }
    let size = moduleSize + totals.map(Self.size).reduce(0, +)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    memory.storeBytes(of: 4, toByteOffset: 8, as: Int32.self)
    memory.storeBytes(of: UInt8(ascii: "A"), toByteOffset: 12, as: UInt8.self)
    var parent = memory
    var next = memory + moduleSize
    for total in totals {
      next.storeBytes(of: genericStruct, as: UInt32.self)
      next.storeBytes(of: Int32(parent - (next + 4)), toByteOffset: 4, as: Int32.self)
      let header = next + headerOffset
      header.storeBytes(of: UInt16(total), as: UInt16.self)
      header.storeBytes(of: UInt16(total), toByteOffset: 4, as: UInt16.self)
      for index in 0..<total {
        header.storeBytes(of: 0x80, toByteOffset: 8 + index, as: UInt8.self)
      }
      parent = next
      next += Self.size(total)
    }
    return UnsafeRawPointer(parent)
  }

  private static func size(_ parameters: Int) -> Int {
    (headerOffset + 8 + parameters + 7) / 8 * 8
  }
}
