// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import WaxwingDeclarations

/// The section of an image that has its names of types. The compiler puts other records there too, signatures of
/// generic contexts among them, and nothing tells where they are: whatever looks like a reference is compared with the
/// image before it is read.
@safe
struct TypeNames {
  private let bytes: UnsafeRawBufferPointer
  private let start: UnsafeRawPointer
  private let base: UInt

  /// - Parameter bytes: The section, of an image that stays. nil: no image has it.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var base: UInt = 0
    guard let start = bytes.baseAddress,
      unsafe wax_process_image_base(UInt(bitPattern: start), &base)
    else { return nil }
    unsafe self.bytes = unsafe bytes
    unsafe self.start = unsafe start
    self.base = base
  }

  /// The addresses of the shapes that names refer to, and whether they are unique: 0a, 0b [distance] … Xj.
  var shapes: [UInt: Bool] {
    var found: [UInt: Bool] = [:]
    var position = 0
    while unsafe position < bytes.count {
      let byte = unsafe bytes[position]
      if byte == 0x0a || byte == 0x0b, let target = target(at: position),
        namesExistential(position),
        isShape(target, isUnique: byte == 0x0a)
      {
        found[target] = byte == 0x0a
      }
      position += 1 + Demangler.referenceSize(byte)
    }
    return found
  }

  /// Where the reference at `position` leads to; nil: not into this image.
  private func target(at position: Int) -> UInt? {
    guard unsafe position + 5 <= bytes.count else { return nil }
    let distance = unsafe Int(
      bytes.loadUnaligned(fromByteOffset: position + 1, as: Int32.self))
    let field = unsafe UInt(bitPattern: start) &+ UInt(position + 1)
    let target = field &+ UInt(bitPattern: distance)
    return isInImage(target, 4) ? target : nil
  }

  private func isInImage(_ address: UInt, _ size: UInt) -> Bool {
    [address, address &+ (size - 1)].allSatisfy { address in
      var base: UInt = 0
      return unsafe wax_process_image_base(address, &base) && base == self.base
    }
  }

  /// Whether the name goes on to the letters of a constrained existential type.
  private func namesExistential(_ position: Int) -> Bool {
    var position = position
    while unsafe position + 1 < bytes.count, unsafe bytes[position] != 0 {
      if unsafe bytes[position] == UInt8(ascii: "X"),
        unsafe bytes[position + 1] == UInt8(ascii: "j")
      {
        return true
      }
      position += unsafe 1 + Demangler.referenceSize(bytes[position])
    }
    return false
  }

  /// Flags of 14 bits with one of four kinds in the lowest eight, and the name of the type, which is in this section
  /// (`ExtendedExistentialTypeShapeFlags`, include/swift/ABI/MetadataValues.h, Swift 6.3).
  private func isShape(_ address: UInt, isUnique: Bool, depth: Int = 0) -> Bool {
    let shape = isUnique ? address : address &+ 4
    guard depth < 8, address.isMultiple(of: 4), isInImage(shape, 12),
      let shape = unsafe UnsafeRawPointer(bitPattern: shape)
    else { return false }
    let flags = unsafe shape.load(as: UInt32.self)
    guard flags < 1 << 14, flags & 0xff < 4 else { return false }
    let field = unsafe shape + 4
    let name = unsafe field + Int(field.load(as: Int32.self)) - start
    return unsafe bytes.indices.contains(name) && (name == 0 || bytes[name - 1] == 0)
      && isName(at: name, depth: depth)
  }

  /// Whether the name has the letters of a constrained existential type, and all that it refers to is in this image or,
  /// by a pointer in it, in one of this process.
  private func isName(at start: Int, depth: Int) -> Bool {
    var position = start
    var (last, isExistential): (UInt8, Bool) = (0, false)
    while unsafe position < bytes.count {
      let byte = unsafe bytes[position]
      if byte == 0 { return isExistential }
      if last == UInt8(ascii: "X"), byte == UInt8(ascii: "P") { isExistential = true }
      last = byte
      let size = Demangler.referenceSize(byte)
      if size > 0, !isReference(position, byte, depth) { return false }
      position += 1 + size
    }
    return false
  }

  private func isReference(_ position: Int, _ kind: UInt8, _ depth: Int) -> Bool {
    guard let address = target(at: position) else { return false }
    switch kind {
    case 1: return isInImage(address, 12)
    case 2: break
    case 0x0a, 0x0b: return isShape(address, isUnique: kind == 0x0a, depth: depth + 1)
    default: return false
    }
    guard isInImage(address, 8), let pointer = unsafe UnsafeRawPointer(bitPattern: address) else {
      return false
    }
    var base: UInt = 0
    return unsafe wax_process_image_base(pointer.loadUnaligned(as: UInt.self), &base)
  }
}
