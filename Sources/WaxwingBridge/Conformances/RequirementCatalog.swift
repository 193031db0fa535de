// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingReflection

/// The requirements of a protocol: the declaration of each word of a witness table.
struct RequirementCatalog: Sendable {
  enum Entry: Sendable {
    case named(RequirementName)
    /// The optimiser has found that nothing in the program calls it: no witness table has it.
    case unused
    /// Nothing tells about the requirement.
    case unknown
  }

  /// The entries of requirements that are functions, by the requirement's index.
  let entries: [Int: Entry]
  /// The optimiser may have known that one type alone conforms, and have it called without asking.
  let mayBeDevirtualized: Bool

  private struct Key: Hashable {
    let descriptor: UInt
    let imagesAdded: UInt64
  }

  private static let known = Mutex<[Key: RequirementCatalog]>([:])

  static func of(
    _ owner: RunningProtocol, _ requirements: [ProtocolRequirement], in program: RunningProgram
  ) -> RequirementCatalog {
    let key = Key(descriptor: owner.descriptor, imagesAdded: wax_process_images_added())
    if let found = known.withLock({ $0[key] }) { return found }
    let made = RequirementCatalog(owner, requirements.filter(\.isFunction), in: program)
    known.withLock { known in
      known = known.filter { $0.key.imagesAdded == key.imagesAdded }
      known[key] = made
    }
    return made
  }

  private init(
    _ owner: RunningProtocol, _ requirements: [ProtocolRequirement], in program: RunningProgram
  ) {
    let exact = program.requirementNames(of: owner)
    var entries: [Int: Entry] = [:]
    for requirement in requirements {
      if let name = exact[UInt(bitPattern: requirement.record)] {
        entries[requirement.index] = .named(name)
      }
    }
    var mayBeDevirtualized = false
    if entries.count < requirements.count {
      let tables = program.witnessTables(of: owner)
      mayBeDevirtualized = tables.count == 1 && program.isClosed(owner)
      let missing = requirements.filter { entries[$0.index] == nil }
      Self.read(tables, missing, &entries)
    }
    self.entries = entries
    self.mayBeDevirtualized = mayBeDevirtualized
  }

  private static func read(
    _ tables: [KnownWitnessTable], _ requirements: [ProtocolRequirement],
    _ entries: inout [Int: Entry]
  ) {
    var candidates: [Int: [FunctionDeclaration: RequirementName]] = [:]
    for requirement in requirements {
      let words = tables.compactMap { table in
        UnsafeRawPointer(bitPattern: table.address).map {
          (table, $0.load(fromByteOffset: 8 * (requirement.index + 1), as: UInt.self))
        }
      }
      if !words.isEmpty, words.allSatisfy({ $0.1 == 0 }) { entries[requirement.index] = .unused }
      for (table, word) in words {
        let names = (table.names[word] ?? []).filter { requirement.mayBe($0.declaration) }
        if names.isEmpty { continue }
        let found = Dictionary(
          names.map { ($0.declaration, $0) }, uniquingKeysWith: { first, _ in first })
        let before = candidates[requirement.index]
        candidates[requirement.index] = before?.filter { found[$0.key] != nil } ?? found
      }
    }
    settle(&candidates, &entries)
    for requirement in requirements where entries[requirement.index] == nil {
      entries[requirement.index] = .unknown
    }
  }

  /// Settles the names of requirements. Functions with the same code may have become one with
  /// several names; a name that one requirement must have is excluded for the others.
  private static func settle(
    _ candidates: inout [Int: [FunctionDeclaration: RequirementName]],
    _ entries: inout [Int: Entry]
  ) {
    while let (index, names) = candidates.first(where: { $0.value.count == 1 }),
      let (declaration, name) = names.first
    {
      entries[index] = .named(name)
      candidates[index] = nil
      for other in candidates.keys { candidates[other]?[declaration] = nil }
    }
  }
}
