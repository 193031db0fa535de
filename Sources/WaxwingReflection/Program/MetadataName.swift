// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// A mangled name in the program's own metadata: text that ends at a zero, with references to
/// descriptors in it.
///
///     01 [distance]: a descriptor      02 [distance]: a pointer to a descriptor
///     0a, 0b [distance]: the shape of `any P<T>`, of one module or of all that have it
///
/// (`resolveAsSymbolicReference` in the runtime, docs/ABI/Mangling.rst, Swift 6.3.)
/// Safe: who makes one vouches for the name, which stays as long as the program, as metadata does.
@safe
package struct MetadataName {
  let start: UnsafeRawPointer

  package init(_ start: UnsafeRawPointer) {
    unsafe self.start = unsafe start
  }

  /// A zero in a reference does not end the name: bytes 1 to 0x17 are followed by four bytes of
  /// reference, 0x18 to 0x1f by eight.
  package var length: Int {
    var length = 0
    while true {
      let byte = unsafe start.load(fromByteOffset: length, as: UInt8.self)
      if byte == 0 { return length }
      length += 1 + Demangler.referenceSize(byte)
    }
  }

  /// The type that the name stands for, with the types that it refers to known by their
  /// descriptors; nil if it has other references.
  package var type: TypeNode? {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
    var references: [Int: TypeNode] = [:]
    var shapes: [Int: TypeNode] = [:]
    var position = 0
    while position < bytes.count {
      let size = unsafe Demangler.referenceSize(bytes[position])
      if size > 0, let shape = existentialShape(at: position) {
        shapes[position] = shape
      } else if size > 0 {
        guard let type = reference(at: position) else { return nil }
        references[position] = .nominal(type)
      }
      position += 1 + size
    }
    var demangler = unsafe Demangler(bytes)
    demangler.references = references
    demangler.existentialShapes = shapes
    return demangler.type()
  }

  /// The type whose arguments follow the reference, if that is one to a shape.
  ///
  ///     shape: { flags: UInt32, name of the type: relative pointer, … }
  ///     of several modules: { relative pointer, shape }
  ///
  /// `TargetExtendedExistentialTypeShape`, include/swift/ABI/Metadata.h, Swift 6.3.
  private func existentialShape(at position: Int) -> TypeNode? {
    let kind = unsafe start.load(fromByteOffset: position, as: UInt8.self)
    guard kind == 0x0a || kind == 0x0b else { return nil }
    let field = unsafe start + position + 1
    let target = unsafe field + Int(field.loadUnaligned(as: Int32.self))
    let name = unsafe target + (kind == 0x0a ? 4 : 8)
    return unsafe MetadataName(name + Int(name.load(as: Int32.self))).type
  }

  func reference(at position: Int) -> NominalType? {
    let field = unsafe start + position + 1
    let target = unsafe field + Int(field.loadUnaligned(as: Int32.self))
    let descriptor: UnsafeRawPointer
    switch unsafe start.load(fromByteOffset: position, as: UInt8.self) {
    case 1: unsafe descriptor = unsafe target
    case 2: unsafe descriptor = unsafe target.loadUnaligned(as: UnsafeRawPointer.self)
    default: return nil
    }
    return unsafe Self.nominal(descriptor)
  }

  /// The type of a descriptor; nil if no type has the descriptor.
  private static func nominal(_ descriptor: UnsafeRawPointer) -> NominalType? {
    let kinds: [UInt32: NominalType.Kind] = [3: .protocol, 16: .class, 17: .struct, 18: .enum]
    guard let kind = unsafe kinds[descriptor.load(as: UInt32.self) & 0x1f] else { return nil }
    return unsafe NominalType(
      descriptor: UInt(bitPattern: descriptor), kind: kind, in: outer(descriptor))
  }

  /// The type that another is in, or in an extension of: `{ flags, parent, extended type }`, the
  /// parent with its lowest bit set for a pointer to it. Between a private type and the one that it is
  /// in stands an anonymous context.
  private static func outer(_ descriptor: UnsafeRawPointer) -> NominalType? {
    let field = unsafe descriptor + 4
    let distance = unsafe Int(field.load(as: Int32.self))
    guard distance != 0 else { return nil }
    let target = unsafe field + (distance & ~1)
    let parent = unsafe distance & 1 == 0 ? target : target.load(as: UnsafeRawPointer.self)
    switch unsafe parent.load(as: UInt32.self) & 0x1f {
    case 1: break
    case 2: return unsafe outer(parent)
    default: return unsafe nominal(parent)
    }
    let extended = unsafe parent + 8
    return unsafe MetadataName(extended + Int(extended.load(as: Int32.self))).type?.nominal?.unbound
  }
}
