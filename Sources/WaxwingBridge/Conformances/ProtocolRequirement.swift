// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingValues

/// A requirement of a protocol as its descriptor has it: one word of each witness table.
///
///     { flags: UInt32, default implementation: relative pointer }
///     flags: kind in bits 0 to 3, 0x10: of instances, 0x20: async, or a coroutine of the newer kind
///
/// The records stand behind what the protocol requires of `Self` (`TargetProtocolRequirement`,
/// include/swift/ABI/Metadata.h and MetadataValues.h, Swift 6.3).
struct ProtocolRequirement {
  enum Kind: UInt32 {
    case baseProtocol = 0
    case method = 1
    case initializer = 2
    case getter = 3
    case setter = 4
    case readCoroutine = 5
    case modifyCoroutine = 6
    case associatedType = 7
    case associatedConformance = 8
  }

  /// The index of the requirement, from 0. Its word in the witness table is one further.
  let index: Int
  let record: UnsafeRawPointer
  let kind: Kind
  let isInstance: Bool
  let isAsync: Bool

  var isFunction: Bool {
    switch kind {
    case .method, .initializer, .getter, .setter, .readCoroutine, .modifyCoroutine: true
    case .baseProtocol, .associatedType, .associatedConformance: false
    }
  }

  /// The default implementation from the protocol's library for types that have none of their own:
  /// code, or an async function pointer.
  var defaultImplementation: UnsafeRawPointer? {
    isFunction ? RelativePointer.direct(record + 4) : nil
  }

  /// Whether a declaration can be that of this requirement.
  func mayBe(_ declaration: FunctionDeclaration) -> Bool {
    guard declaration.isStatic != isInstance || kind == .initializer else { return false }
    switch (kind, declaration.kind) {
    case (.method, .function), (.method, .operatorFunction): return true
    case (.initializer, .allocatingInitializer): return true
    case (.getter, .getter), (.getter, .subscriptGetter): return true
    case (.setter, .setter), (.setter, .subscriptSetter): return true
    case (.readCoroutine, .accessor(.read)), (.readCoroutine, .subscriptAccessor(.read)),
      (.readCoroutine, .accessor(.read2)), (.readCoroutine, .subscriptAccessor(.read2)):
      return true
    case (.modifyCoroutine, .accessor(.modify)), (.modifyCoroutine, .subscriptAccessor(.modify)),
      (.modifyCoroutine, .accessor(.modify2)), (.modifyCoroutine, .subscriptAccessor(.modify2)):
      return true
    default: return false
    }
  }
}

extension ProtocolDescriptor {
  /// The requirements in the order of the witness table's words; nil if one is of an unknown kind.
  var requirements: [ProtocolRequirement]? {
    let inSignature = Int(context.address.load(fromByteOffset: 12, as: UInt32.self))
    let count = Int(context.address.load(fromByteOffset: 16, as: UInt32.self))
    var found: [ProtocolRequirement] = []
    for index in 0..<count {
      let record = context.address + 24 + 12 * inSignature + 8 * index
      let flags = record.load(as: UInt32.self)
      guard let kind = ProtocolRequirement.Kind(rawValue: flags & 0xf) else { return nil }
      found.append(
        ProtocolRequirement(
          index: index, record: record, kind: kind, isInstance: flags & 0x10 != 0,
          isAsync: flags & 0x20 != 0))
    }
    return found
  }

  /// The names of the protocol's own associated types, in the order of their requirements.
  var associatedTypeNames: [String] {
    guard let names = RelativePointer.direct(context.address + 20) else { return [] }
    return String(cString: names.assumingMemoryBound(to: CChar.self)).split(separator: " ")
      .map(String.init)
  }
}
