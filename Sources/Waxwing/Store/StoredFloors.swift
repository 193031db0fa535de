// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingCore
import WaxwingOperations
import WaxwingPatches

/// The highest serial numbers, in the store's document and in a copy beside the store: neither a restart
/// nor the loss of the store forgets them. Serial numbers are asked for and raised by the thread that is
/// in an operation of the engine.
final class StoredFloors: RollbackProtection {
  private unowned let engine: Engine
  private let instance: CurrentInstance
  private let state: KeptState
  private let kept: KeptPatches
  private let audit: AuditTrail
  private let seen: Mutex<Int?>
  /// The floors that were read once. They are not forgotten while the program runs, even if the
  /// files are lost.
  private let remembered = Mutex([FloorKey: Int]())

  init(
    _ engine: Engine, _ instance: CurrentInstance, _ state: KeptState, _ kept: KeptPatches,
    _ audit: AuditTrail
  ) {
    self.engine = engine
    self.instance = instance
    self.state = state
    self.kept = kept
    self.audit = audit
    seen = Mutex(nil)
    let inStore = state.store?.state.lastSeen ?? 0
    let inCopy = ((try? copy(creating: false)?.read()) ?? nil)?.lastSeen ?? 0
    if max(inStore, inCopy) > 0 { see(max(inStore, inCopy)) }
  }

  func floor(program: String, key: String) throws(PatchError) -> SerialFloor? {
    let serial = try known().floors[FloorKey(program: program, key: key)]
    return serial.map { SerialFloor(program: program, key: key, serial: $0) }
  }

  func raise(_ floors: [SerialFloor]) throws(PatchError) {
    var contents = try known()
    for floor in floors {
      let key = FloorKey(program: floor.program, key: floor.key)
      contents.floors[key] = max(contents.floors[key] ?? 0, floor.serial)
    }
    contents.lastSeen = max(contents.lastSeen, lastSeen ?? 0)
    do {
      let store = try kept.openedStore()
      var document = store.state
      document.floors = contents.floors
      document.lastSeen = max(document.lastSeen, contents.lastSeen)
      if document.floors != store.state.floors { try store.save(document) }
      try writeCopy(contents)
    } catch {
      throw Self.refusal(error)
    }
  }

  var lastSeen: Int? { seen.withLock { $0 } }

  func see(_ time: Int) { seen.withLock { $0 = max($0 ?? 0, time) } }

  /// Compares both places at the start. An entry that is in one place only is copied to the other,
  /// or reported as lost.
  func reconcile() {
    do {
      let contents = try known()
      let stored = state.store?.state.floors ?? [:]
      guard !contents.floors.isEmpty else { return }
      if stored.isEmpty {
        engine.log.write(
          .warning, "floors.restored",
          "the store has lost the serial numbers of signed patches; those in its copy count")
      }
      try writeCopy(contents)
    } catch let error as PatchError {
      engine.log.write(.error, "floors.lost", error.message, [("remedy", error.remedy)])
    } catch let error as StoreError {
      engine.log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
    } catch {}
  }

  // MARK: The two places

  private func copy(creating: Bool) throws(StoreError) -> FloorCopy? {
    guard let base = engine.host.stateFolder else { return nil }
    return try FloorCopy(base, program: instance.value.fileName, creating: creating)
  }

  /// The floors in both places.
  /// - Throws: If it cannot be known what was applied here.
  private func known() throws(PatchError) -> FloorCopy.Contents {
    let contents: FloorCopy.Contents
    do throws(PatchError) { contents = try readBoth() } catch {
      state.floorTrouble = error.message
      throw error
    }
    state.floorTrouble = nil
    remembered.withLock { $0 = contents.floors }
    return contents
  }

  private func readBoth() throws(PatchError) -> FloorCopy.Contents {
    let store = state.store
    let stored = FloorCopy.Contents(
      floors: store?.state.floors ?? [:], lastSeen: store?.state.lastSeen ?? 0
    ).merged(with: FloorCopy.Contents(floors: remembered.withLock { $0 }))
    var damage: String?
    do throws(StoreError) {
      if let copied = try copy(creating: false)?.read() { return stored.merged(with: copied) }
    } catch {
      guard error.code == .damaged else { throw Self.refusal(error) }
      damage = error.message
    }
    guard stored.floors.isEmpty else { return stored }
    if let damage { throw unknown(damage) }
    if case .lost(let reason)? = store?.trouble {
      throw unknown("the store is damaged, \(reason)")
    }
    if let history = audit.auditedFloors() { throw unknown(history) }
    return stored
  }

  private func writeCopy(_ contents: FloorCopy.Contents) throws(StoreError) {
    guard let copy = try copy(creating: true) else { return }
    if ((try? copy.read()) ?? nil)?.floors == contents.floors { return }
    guard copy.canBeWritten else {
      if instance.value.isFurther { throw .copyNeeded(copy.path) }
      engine.log.write(
        .warning, "floors.alone",
        "the serial numbers of signed patches are in the store only: \(copy.path) cannot be written "
          + "by the program's user")
      return
    }
    // Further instances raise the numbers in the same file.
    try copy.exclusively { () throws(StoreError) in
      let other = (try? copy.read()) ?? nil
      try copy.write(other.map(contents.merged) ?? contents)
    }
  }

  private func unknown(_ reason: String) -> PatchError {
    PatchError(
      .policy, file: "state",
      message:
        "the serial numbers that were applied here are not known, so an older patch could come "
        + "back: \(reason)",
      remedy:
        "`waxwing store rebuild --program \(instance.value.fileName)` reads them from the audit log"
    )
  }

  private static func refusal(_ error: any Error) -> PatchError {
    let reason =
      (error as? StoreError)?.message ?? (error as? WaxwingError)?.message ?? "\(error)"
    return PatchError(
      .policy, file: "state",
      message:
        "the patch's serial number cannot be kept, so an older one could come back: \(reason)",
      remedy: (error as? StoreError)?.remedy ?? (error as? WaxwingError)?.remedy
        ?? "see `waxwing boot`")
  }
}

extension StoreError {
  /// The error for a copy that cannot be written: without it the first instance would not know what
  /// this one has accepted.
  fileprivate static func copyNeeded(_ path: String) -> StoreError {
    StoreError(
      .system, path: path,
      message: "an instance without a name needs \(path), which the program's user cannot write",
      remedy: "give this instance a name with WAXWING_INSTANCE")
  }
}
