// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// A descriptor that the compiler emits for a type, a protocol, a module or an extension.
///
///     { flags: UInt32, parent: relative indirectable pointer, … }
///     flags: kind in bits 0 to 4, 0x80: generic, 0x20: suppressed protocols (`~Copyable`), from bit 16 on: what the kind makes of them
///
/// include/swift/ABI/Metadata.h and MetadataValues.h, Swift 6.3.
/// Unchecked: only the runtime writes descriptors, before anyone knows them.
package struct ContextDescriptor: Hashable, @unchecked Sendable {
  package enum Kind: UInt32 {
    case module = 0
    case `extension` = 1
    case anonymous = 2
    case `protocol` = 3
    case opaqueType = 4
    case `class` = 16
    case `struct` = 17
    case `enum` = 18
  }

  package let address: UnsafeRawPointer

  package init(_ address: UnsafeRawPointer) {
    self.address = address
  }

  package init?(_ address: UInt?) {
    guard let pointer = address.flatMap(UnsafeRawPointer.init(bitPattern:)) else { return nil }
    self.address = pointer
  }

  private var flags: UInt32 { address.load(as: UInt32.self) }
  var kind: Kind? { Kind(rawValue: flags & 0x1f) }
  package var isGeneric: Bool { flags & 0x80 != 0 }
  /// Whether the type suppresses `Copyable` or `Escapable`, for itself or for its generic
  /// parameters.
  package var hasInvertibleProtocols: Bool { flags & 0x20 != 0 }
  package var kindFlags: UInt32 { flags >> 16 }

  var parent: ContextDescriptor? {
    RelativePointer.indirectable(address + 4).map { ContextDescriptor($0) }
  }

  /// The name of a module, a type or a protocol.
  package var name: String {
    guard let name = RelativePointer.direct(address + 8) else { return "" }
    return String(cString: name.assumingMemoryBound(to: CChar.self))
  }

  /// The module that the declaration is in.
  package var module: String {
    var current = self
    while let parent = current.parent { current = parent }
    return current.kind == .module ? current.name : ""
  }

  /// The declaration as symbols' types are made of.
  package var nominal: NominalType {
    let kind: NominalType.Kind =
      switch kind {
      case .class: .class
      case .enum: .enum
      case .protocol: .protocol
      default: .struct
      }
    return NominalType(descriptor: UInt(bitPattern: address), kind: kind)
  }
}

/// Distances in 32 bits that stand for pointers.
package enum RelativePointer {
  package static func direct(_ field: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = Int(field.load(as: Int32.self))
    return distance == 0 ? nil : field + distance
  }

  /// The lowest bit says that the pointer is to a pointer. The one above it, which only protocols'
  /// have, is clear without Objective-C.
  static func indirectable(_ field: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = Int(field.load(as: Int32.self))
    if distance == 0 { return nil }
    let target = field + (distance & ~3)
    return distance & 1 == 0 ? target : target.load(as: UnsafeRawPointer?.self)
  }
}
