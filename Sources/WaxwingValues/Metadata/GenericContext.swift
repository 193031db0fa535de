// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
internal import WaxwingReflection

/// The generic parameters of a type, or of an opaque type, and their requirements.
///
///     { parameters, requirements, key arguments, flags: UInt16 }
///     { UInt8 } for each parameter, 0x80: its metadata is passed; up to a multiple of four bytes
///     { flags: UInt32, subject, object: relative pointers } for each requirement
///
/// Before it a type has two relative pointers more. Numbers include the enclosing contexts'
/// (`TargetGenericContextDescriptorHeader`, include/swift/ABI/GenericContext.h, Swift 6.3).
package struct GenericContext {
  package enum Requirement {
    case conformance(TypeNode, ProtocolDescriptor)
    case sameType(TypeNode, TypeNode)
    case superclass(TypeNode, TypeNode)
    case reference(TypeNode)
  }

  package let descriptor: ContextDescriptor
  /// How many parameters the type and each type around it add, outermost first.
  package let added: [Int]
  /// Whether each parameter's metadata is passed to what makes the type; not if another parameter
  /// or a type is required to be the same.
  package let isKey: [Bool]
  /// The requirements that matter for how functions are called, in canonical order.
  package let requirements: [Requirement]

  /// Reads a generic context; nil if it is not generic, or in a way that is not understood: packs,
  /// values.
  package init?(_ descriptor: ContextDescriptor) {
    guard let header = Self.header(of: descriptor) else { return nil }
    self.descriptor = descriptor
    let parameterCount = Int(header.load(as: UInt16.self))
    let requirementCount = Int(header.load(fromByteOffset: 2, as: UInt16.self))
    let kinds = (0..<parameterCount).map { header.load(fromByteOffset: 8 + $0, as: UInt8.self) }
    // The lower bits are the parameter's kind, 0: a type.
    guard kinds.allSatisfy({ $0 & 0x3f == 0 }) else { return nil }
    isKey = kinds.map { $0 & 0x80 != 0 }
    added = Self.added(descriptor)
    let list = header + 8 + (parameterCount + 3) / 4 * 4
    guard let requirements = Self.requirements(list, requirementCount) else { return nil }
    self.requirements = requirements
  }

  private static func header(of descriptor: ContextDescriptor) -> UnsafeRawPointer? {
    guard descriptor.isGeneric else { return nil }
    switch descriptor.kind {
    case .class: return descriptor.address + 44 + 8
    case .struct, .enum: return descriptor.address + 28 + 8
    case .extension: return descriptor.address + 12
    case .anonymous, .opaqueType: return descriptor.address + 8
    default: return nil
    }
  }

  /// How many parameters each context adds to its parent's.
  private static func added(_ descriptor: ContextDescriptor) -> [Int] {
    var totals: [Int] = []
    var current: ContextDescriptor? = descriptor
    while let context = current, context.kind != .module {
      if context.kind != .anonymous {
        totals.append(header(of: context).map { Int($0.load(as: UInt16.self)) } ?? 0)
      }
      current = context.parent
    }
    totals.reverse()
    return totals.indices.map { totals[$0] - ($0 == 0 ? 0 : totals[$0 - 1]) }
  }

  /// Reads requirements; nil if one of them is not understood.
  static func requirements(_ list: UnsafeRawPointer, _ count: Int) -> [Requirement]? {
    var requirements: [Requirement] = []
    for index in 0..<count {
      let record = list + 12 * index
      guard let name = RelativePointer.direct(record + 4), let subject = MetadataName(name).type
      else { return nil }
      let object = record + 8
      switch record.load(as: UInt32.self) & 0x1f {
      case 0:
        guard let address = RelativePointer.indirectable(object) else { return nil }
        requirements.append(.conformance(subject, ProtocolDescriptor(address)))
      case 1, 2:
        guard let type = RelativePointer.direct(object).flatMap({ MetadataName($0).type }) else {
          return nil
        }
        let isSame = record.load(as: UInt32.self) & 0x1f == 1
        requirements.append(isSame ? .sameType(subject, type) : .superclass(subject, type))
      case 5: break  // what is not required: that values can be copied
      case 0x1f: requirements.append(.reference(subject))
      default: return nil
      }
    }
    return requirements
  }
}

extension GenericContext {
  /// How many parameters each level has, outermost first: a level is a type that adds any.
  package var counts: [Int] { added.filter { $0 > 0 } }

  /// The generic arguments' place in a type's metadata, parameters that are not passed left out.
  ///
  /// They follow the descriptor in a struct's or enum's metadata. In a class's they are the first of
  /// its own members, the last words of its metadata.
  package func arguments(in metadata: UnsafeRawPointer) -> UnsafePointer<UnsafeRawPointer> {
    let offset = descriptor.kind == .class ? membersOffset(metadata) : 16
    return (metadata + offset).assumingMemoryBound(to: UnsafeRawPointer.self)
  }

  /// The offset in bytes of a class's own members.
  ///
  ///     descriptor + 24: words before the metadata's address; or of a class with a resilient
  ///                      superclass a relative pointer to { offset of the members: Int, … }
  ///     descriptor + 28: words behind the address, unless the superclass is resilient
  ///     descriptor + 32: words of its own members
  ///
  /// How many members a resilient superclass has is known when the program runs, so the offset is
  /// written with the first metadata. The flags are bits 13 and 12 of the kind's
  /// (`getGenericArgumentOffset` of `TargetClassDescriptor`, `TypeContextDescriptorFlags`,
  /// include/swift/ABI/Metadata.h and MetadataValues.h, Swift 6.3).
  private func membersOffset(_ metadata: UnsafeRawPointer) -> Int {
    let address = descriptor.address
    let own = Int(address.load(fromByteOffset: 32, as: UInt32.self))
    if descriptor.kindFlags & 0x2000 != 0 {
      let offset = RelativePointer.direct(address + 24)?.load(as: Int.self) ?? 0
      if offset != 0 { return offset }
      let size = Int(metadata.load(fromByteOffset: 32, as: UInt32.self))
      let addressPoint = Int(metadata.load(fromByteOffset: 36, as: UInt32.self))
      return size - addressPoint - 8 * own
    }
    if descriptor.kindFlags & 0x1000 != 0 {
      return -8 * Int(address.load(fromByteOffset: 24, as: UInt32.self))
    }
    return 8 * (Int(address.load(fromByteOffset: 28, as: UInt32.self)) - own)
  }

  /// The index of a parameter among the metadata's arguments; nil if it is not among them.
  package func argumentIndex(depth: Int, index: Int) -> Int? {
    let flat = counts.prefix(depth).reduce(0, +) + index
    guard isKey.indices.contains(flat), isKey[flat] else { return nil }
    return isKey[..<flat].count { $0 }
  }
}
