// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import WaxwingOperations
import WaxwingPatches
import WaxwingTestSupport

/// A folder for stores, and what tests put into them.
final class StoreFixture {
  let folder = try? TemporaryFolder()
  static let build = "3f2a9c00"

  var base: String { (folder?.path ?? "/nonexistent") + "/state" }
  var path: String { base + "/bankd" }

  func open(_ calls: StoreCalls = .real) throws -> PatchStore {
    guard let store = try PatchStore.open(base, program: "bankd", creating: true, calls: calls)
    else { throw TestSupportError("there is no store") }
    return store
  }

  static func bundle(_ name: String, _ text: String = "return 1") -> PatchBundle {
    PatchBundle(files: [PatchFile(name: "\(name).lua", bytes: Array(text.utf8))])
  }

  /// What `apply --keep` does.
  @discardableResult
  static func keep(_ name: String, _ text: String = "return 1", in store: PatchStore) throws
    -> KeptPatch
  {
    let hash = try store.put(bundle(name, text))
    var state = store.state
    let patch = KeptPatch(hash: hash, name: name, build: build, keptAt: 1_700_000_000)
    state.keep(patch)
    try store.save(state)
    return patch
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
  }

  func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  func blob(_ patch: KeptPatch) -> String { "blobs/\(patch.hash.hex).patch" }
}

/// Counts calls and lets those from one on fail.
final class Fault: Sendable {
  private let count = Mutex(0)
  let at: Int
  let number: Int32
  let staysDead: Bool
  let step: StoreStep?

  /// - Parameters:
  ///   - at: The first call that fails, from 1; 0: none does.
  ///   - staysDead: Whether all that follow fail as well: the process is gone.
  ///   - step: Only these are counted; nil: all.
  init(at: Int, _ number: Int32 = EIO, staysDead: Bool = false, step: StoreStep? = nil) {
    self.at = at
    self.number = number
    self.staysDead = staysDead
    self.step = step
  }

  var calls: Int { count.withLock { $0 } }

  var system: StoreCalls {
    StoreCalls { [self] step, _ in
      if let wanted = self.step, wanted != step { return .happens }
      let call = count.withLock { count in
        count += 1
        return count
      }
      guard at > 0, call == at || (staysDead && call > at) else { return .happens }
      // What a full disk leaves: a part.
      return step == .write ? .writesOnly(7, number) : .fails(number)
    }
  }
}
