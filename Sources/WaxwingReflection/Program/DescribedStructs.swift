// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import Synchronization
package import WaxwingDeclarations

/// Structs of which the program has a descriptor, which names their stored properties, and no metadata.
///
/// The optimizer drops the metadata of a type that nothing asks for at run time. It keeps the descriptor where
/// reflection metadata refers to it, as that of a closure does that has taken the struct along. The types of the
/// stored properties tell how the struct is laid out, so its metadata can be made. The program never sees
/// it: its own code has no way to ask for it.
///
///     descriptor: { flags, parent, name, accessor, fields: Int32; properties, offset of offsets: UInt32 }
///     flags:      kind in bits 0 to 4, 0x20: suppressed protocols, 0x80: generic; bits 16 to 18: initialized at run
///                 time, or imported
///     fields:     { type, superclass: Int32; kind, record size: UInt16; count: UInt32 } { flags, type, name: Int32 }
///
/// include/swift/ABI/Metadata.h and include/swift/RemoteInspection/Records.h, Swift 6.3.
enum DescribedStructs {
  private static let structKind: UInt32 = 17
  private static let kindMask: UInt32 = 0x1f | 0x20 | 0x80 | 0x7_0000
  private static let recordsOffset = 16
  private static let offsetsOffset: UInt32 = 2

  /// Addresses of metadata, by that of the descriptor: there is one type, whoever asks.
  private static let made = Mutex<[UInt: UInt]>([:])

  /// - Parameter address: Of a context descriptor.
  /// - Returns: nil: it has metadata of its own, is no struct, or is laid out in a way that its properties do not tell.
  static func type(descriptor address: UInt) -> (any Any.Type)? {
    guard let descriptor = unsafe UnsafeRawPointer(bitPattern: address),
      unsafe isDropped(descriptor), unsafe flags(descriptor) & kindMask == structKind,
      unsafe descriptor.load(fromByteOffset: 24, as: UInt32.self) == offsetsOffset,
      let types = unsafe propertyTypes(descriptor)
    else { return nil }
    let metadata = made.withLock { made in
      if let known = made[address] { return known }
      let pointers = unsafe types.map { type in
        unsafe Optional(unsafeBitCast(type, to: UnsafeRawPointer.self))
      }
      let new = unsafe UInt(
        bitPattern: wax_abi_described_struct(descriptor, pointers, pointers.count))
      if new != 0 { made[address] = new }
      return new
    }
    guard let found = unsafe UnsafeRawPointer(bitPattern: metadata) else { return nil }
    return unsafe unsafeBitCast(found, to: Any.Type.self)
  }

  private static func flags(_ descriptor: UnsafeRawPointer) -> UInt32 {
    unsafe descriptor.load(as: UInt32.self)
  }

  private static func isDropped(_ descriptor: UnsafeRawPointer) -> Bool {
    unsafe descriptor.load(fromByteOffset: 12, as: Int32.self) == 0
  }

  /// The types of the properties; nil if one of them is not known, or is no plain value, such as a
  /// `weak` one.
  private static func propertyTypes(_ descriptor: UnsafeRawPointer) -> [any Any.Type]? {
    let count = unsafe Int(descriptor.load(fromByteOffset: 20, as: UInt32.self))
    guard count > 0 else { return [] }
    guard let fields = unsafe relative(descriptor + 16),
      unsafe Int(fields.load(fromByteOffset: 12, as: UInt32.self)) == count
    else { return nil }
    let size = unsafe Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    var types: [any Any.Type] = []
    for index in 0..<count {
      guard let start = unsafe relative(fields + recordsOffset + index * size + 4) else {
        return nil
      }
      let name = unsafe MetadataName(start)
      guard !isReference(name),
        let type = unsafe _getTypeByMangledNameInContext(
          start.assumingMemoryBound(to: UInt8.self), UInt(name.length), genericContext: nil,
          genericArguments: nil)
      else { return nil }
      types.append(type)
    }
    return types
  }

  /// Whether the name ends as that of a `weak` or `unowned` property does: `Xw`, `Xo`, `Xu`.
  private static func isReference(_ name: MetadataName) -> Bool {
    guard name.length >= 2 else { return false }
    let end = unsafe UnsafeRawBufferPointer(start: name.start + name.length - 2, count: 2)
    return unsafe end[0] == UInt8(ascii: "X") && "wou".utf8.contains(end[1])
  }

  private static func relative(_ field: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = unsafe Int(field.load(as: Int32.self))
    return unsafe offset == 0 ? nil : field + offset
  }
}

/// A type that mentions types of which `DescribedStructs` makes the metadata.
///
/// The runtime knows nothing of those. It gets the type with generic parameters in their places, and what the
/// parameters stand for.
package struct DescribedParts {
  /// The type with parameters of the level of `depth`.
  package let node: TypeNode
  /// The types that the parameters stand for; not empty.
  package let types: [any Any.Type]

  /// Creates the parts of a described struct; nil if there are none, as for nearly all types.
  package init?(_ node: TypeNode, depth: Int, in program: RunningProgram) {
    var types: [any Any.Type] = []
    self.node = node.replacingNominals { nominal in
      guard let type = program.describedStruct(nominal) else { return nil }
      types.append(type)
      return .genericParameter(depth: depth, index: types.count - 1)
    }
    guard !types.isEmpty else { return nil }
    self.types = types
  }
}
