// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingPatches

/// The highest serial numbers, in the store's document: a restart does not forget them. Serial numbers
/// are asked for and raised by the thread that is in an operation of the engine.
final class StoredFloors: FloorKeeping {
  private unowned let engine: Engine
  private let seen: Mutex<Int?>

  init(_ engine: Engine) {
    self.engine = engine
    let lastSeen = engine.keeper.store?.state.lastSeen ?? 0
    seen = Mutex(lastSeen > 0 ? lastSeen : nil)
  }

  func floor(program: String, key: String) throws(PatchError) -> SerialFloor? {
    if let trouble = engine.keeper.store?.trouble, case .lost(let reason) = trouble {
      throw PatchError(
        .policy, file: "state",
        message: "what serial numbers were applied here is not known: the store is damaged, "
          + reason,
        remedy: "look at what is kept, then `waxwing store clear` begins anew")
    }
    let serial = engine.keeper.store?.floor(FloorKey(program: program, key: key))
    return serial.map { SerialFloor(program: program, key: key, serial: $0) }
  }

  func raise(_ floors: [SerialFloor]) throws(PatchError) {
    do {
      let store = try engine.openedStore()
      var state = store.state
      for floor in floors {
        state.raiseFloor(
          FloorKey(program: floor.program, key: floor.key), to: floor.serial)
      }
      if let lastSeen { state.lastSeen = max(state.lastSeen, lastSeen) }
      if state.floors != store.state.floors { try store.save(state) }
    } catch {
      throw Self.refusal(error)
    }
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

  var lastSeen: Int? { seen.withLock { $0 } }

  func see(_ time: Int) { seen.withLock { $0 = max($0 ?? 0, time) } }
}
