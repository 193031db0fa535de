// SPDX-License-Identifier: MIT

internal import CWaxwingABI
package import WaxwingDeclarations
package import WaxwingReflection

/// A protocol of the running program.
///
///     { flags: UInt32, parent, name, requirements in signature, requirements: UInt32,
///       associated type names: relative pointer, requirements in signature … }
///
/// `TargetProtocolDescriptor`, include/swift/ABI/Metadata.h, Swift 6.3.
package struct ProtocolDescriptor: Hashable, Sendable {
  package let context: ContextDescriptor

  package init(_ address: UnsafeRawPointer) {
    context = ContextDescriptor(address)
  }

  package var name: String { context.name }
  package var module: String { context.module }

  /// Whether only classes conform. The lowest flag says that any type may
  /// (`ProtocolContextDescriptorFlags`).
  package var isClassBound: Bool { context.kindFlags & 1 == 0 }

  /// The requirements on `Self` and its associated types; none if they are not understood.
  package var signature: [GenericContext.Requirement] {
    let count = Int(context.address.load(fromByteOffset: 12, as: UInt32.self))
    return GenericContext.requirements(context.address + 24, count) ?? []
  }

  /// The protocols that it inherits from directly.
  package var inherited: [ProtocolDescriptor] {
    signature.compactMap {
      if case .conformance(.genericParameter, let base) = $0 { base } else { nil }
    }
  }

  package func inherits(_ other: ProtocolDescriptor) -> Bool {
    inherited.contains { $0 == other || $0.inherits(other) }
  }

  /// The protocol that declares the associated type: this one, or one that it inherits from.
  package func declaring(associatedType name: String) -> ProtocolDescriptor? {
    if let names = RelativePointer.direct(context.address + 20) {
      let text = String(cString: names.assumingMemoryBound(to: CChar.self))
      if text.split(separator: " ").contains(Substring(name)) { return self }
    }
    for base in inherited {
      if let found = base.declaring(associatedType: name) { return found }
    }
    return nil
  }

  /// The witness table of a type's conformance; nil if it does not conform.
  package func conformance(of type: any Any.Type) -> UnsafeRawPointer? {
    swift_conformsToProtocol(TypeMetadata.pointer(to: type), context.address)
  }

  /// Whether a protocol precedes another in the canonical order of requirements: by module, then by
  /// name.
  package static func precedes(_ left: ProtocolDescriptor, _ right: ProtocolDescriptor) -> Bool {
    (left.module, left.name) < (right.module, right.name)
  }
}

extension ProtocolDescriptor {
  /// Protocols that exist for the compiler only: they have neither descriptors nor witness tables.
  private static let markers: Set<String> = [
    "Sendable", "SendableMetatype", "Copyable", "Escapable", "BitwiseCopyable",
  ]

  package static func isMarker(_ node: TypeNode) -> Bool {
    node.nominal.map { $0.module == "Swift" && markers.contains($0.name.text) } ?? false
  }

  /// The protocol that a symbol names; nil if it is not in this process.
  package static func find(_ node: TypeNode, in program: RunningProgram) -> ProtocolDescriptor? {
    program.protocolDescriptor(node).flatMap(UnsafeRawPointer.init(bitPattern:)).map {
      ProtocolDescriptor($0)
    }
  }
}
