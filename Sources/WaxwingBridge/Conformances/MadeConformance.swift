// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import CWaxwingLua
internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingReflection
package import WaxwingValues

/// A conformance of a class to a protocol that the compiler does not know of: a witness table of
/// ours and the descriptor by which Swift's runtime finds it.
///
///     descriptor -> { protocol, type: both by way of a word, witness table, flags }
///     table      -> { descriptor, one word for each requirement }
///
/// It is there for good, as code of the program may keep the table, and is taken again when the same
/// conformance is declared again. Whether it is live is told by the word with the type: while it is
/// not, that is a type of ours that nothing is an instance of. The runtime remembers what it has
/// looked up until it is told of further conformances, so each change tells it of none.
///
/// Unchecked: what is not fixed is under a lock, or written while one thread alone knows it.
package final class MadeConformance: @unchecked Sendable {
  /// The qualified name of the type, such as `Bank.Account`.
  package let typeName: String
  /// The qualified name of the protocol, such as `Bank.Greeter`.
  package let protocolName: String
  package let type: any Any.Type
  package let descriptor: ProtocolDescriptor
  let associatedTypes: AssociatedTypes
  let table: UnsafeMutableRawPointer
  /// The conformances, made by patches, to the protocols that this protocol inherits from.
  package let bases: [MadeConformance]
  // Written by `WitnessTableBuilder`, before anyone else knows the conformance.
  package var witnesses: [WitnessFunction] = []
  private let typeWord: UnsafeMutablePointer<Atomic<UInt>>
  /// The patch that has it, while it is live.
  private let holder = Mutex<String?>(nil)

  /// The type that the descriptor names while the conformance is not live.
  private final class Nobody {}

  /// `ConformanceFlags`: the type is told by a word that holds the address of its descriptor.
  private static let indirectTypeDescriptor: UInt32 = 1 << 3

  init(
    _ type: any Any.Type, typeName: String, _ descriptor: ProtocolDescriptor,
    protocolName: String, words: Int, _ associatedTypes: AssociatedTypes,
    bases: [MadeConformance]
  ) throws(NoMetadataMemory) {
    (self.type, self.typeName) = (type, typeName)
    (self.descriptor, self.protocolName) = (descriptor, protocolName)
    self.associatedTypes = associatedTypes
    self.bases = bases
    let arena = MetadataArena.shared
    guard let table = arena.allocate(8 * (words + 1)), let conformance = arena.allocate(16),
      let typeWord = arena.allocate(8), let record = arena.allocate(4, alignment: 4),
      let protocolWord = arena.indirect(to: descriptor.context.address)
    else { throw NoMetadataMemory() }
    self.table = table
    self.typeWord = typeWord.assumingMemoryBound(to: Atomic<UInt>.self)
    MetadataArena.relate(conformance, to: protocolWord, flags: 1)
    MetadataArena.relate(conformance + 4, to: typeWord)
    MetadataArena.relate(conformance + 8, to: table)
    conformance.storeBytes(
      of: Self.indirectTypeDescriptor, toByteOffset: 12, as: UInt32.self)
    table.storeBytes(of: UnsafeRawPointer(conformance), as: UnsafeRawPointer.self)
    typeWord.storeBytes(of: Self.nobody, as: UInt.self)
    MetadataArena.relate(record, to: conformance)
    swift_registerProtocolConformances(record, record + 4)
  }

  private static var nobody: UInt { TypeMetadata.descriptor(of: Nobody.self) ?? 0 }

  /// The word of a requirement.
  func word(_ index: Int) -> UnsafeMutableRawPointer { table + 8 * (index + 1) }

  /// The patch that has it; nil: it is not live.
  package var holderName: String? { holder.withLock { $0 } }

  /// Whether two are of one type and one protocol: not both can be live.
  package func collides(with other: MadeConformance) -> Bool {
    type == other.type && descriptor == other.descriptor
  }

  /// The type is a class that a patch has made.
  package var isOfMadeClass: Bool { LuaClass.of(type) != nil }

  /// Makes conformances live and ends others. Code that asks for a conformance in between may find
  /// some of it only.
  /// - Parameter starting: With the names of the patches that have them from now on.
  package static func change(
    starting: [(MadeConformance, String)], ending: [MadeConformance]
  ) {
    var hasChanged = false
    let going = Set(starting.map { ObjectIdentifier($0.0) })
    for conformance in ending where !going.contains(ObjectIdentifier(conformance)) {
      if conformance.set(live: false, nil) { hasChanged = true }
    }
    for (conformance, name) in starting where conformance.set(live: true, name) {
      hasChanged = true
    }
    guard hasChanged else { return }
    // The runtime looks at whether there are more of these than before.
    let nothing = starting.first?.0.table ?? ending[0].table
    swift_registerProtocolConformances(nothing, nothing)
    wax_call_forget_choices()
  }

  /// - Returns: Whether it was not so before.
  private func set(live: Bool, _ name: String?) -> Bool {
    let word = live ? TypeMetadata.descriptor(of: type) ?? Self.nobody : Self.nobody
    return holder.withLock { holder in
      holder = name
      let old = typeWord.pointee.exchange(word, ordering: .acquiringAndReleasing)
      return old != word
    }
  }
}

/// All conformances that patches have ever made in this process.
package enum MadeConformances {
  struct Key: Hashable {
    let type: ObjectIdentifier
    let descriptor: UInt
    /// The words of the witness table besides functions: types and other witness tables.
    let words: [UInt]
  }

  private static let known = Mutex<[Key: MadeConformance]>([:])

  /// How many there are.
  package static var count: Int { known.withLock { $0.count } }

  /// Bytes of descriptors and witness tables, which are kept for good.
  package static var bytes: Int { MetadataArena.shared.used }

  static func find(_ key: Key) -> MadeConformance? { known.withLock { $0[key] } }

  static func add(_ made: MadeConformance, _ key: Key) { known.withLock { $0[key] = made } }

  /// The one that has this witness table.
  package static func withTable(_ table: UnsafeRawPointer) -> MadeConformance? {
    known.withLock { $0.values.first { UnsafeRawPointer($0.table) == table } }
  }
}

/// The error when there is no memory left for metadata that is made at run time.
struct NoMetadataMemory: Error, CustomStringConvertible {
  var description: String {
    "the \(MetadataArena.capacity >> 20) MiB for conformances and classes made by patches, which "
      + "Swift's runtime never frees, are used up; restart the process"
  }
}
