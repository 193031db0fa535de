// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingBridge
import WaxwingInterception

// Sessions go live, end and are forgotten.
extension OverrideRegistry {
  /// Says that a session changes a type otherwise than by an override.
  func change(_ owner: String, of session: Int, by count: Int) {
    contents.withLock { $0.change(owner, of: session, by: count) }
  }

  /// The names of the sessions that are live, oldest first.
  package var liveNames: [String] {
    contents.withLock { contents in
      contents.records.filter(\.value.isLive).sorted { $0.key < $1.key }.map(\.value.name)
    }
  }

  /// Whether a session is live. Any thread.
  package func isLive(_ session: Int) -> Bool {
    contents.withLock { $0.records[session]?.isLive ?? false }
  }

  /// How often all sessions were switched off.
  var shutdowns: Int { contents.withLock { $0.shutdowns } }

  /// Ends all sessions as far as the program is concerned, even while other operations run: calls
  /// go to its own code, and the entries hold it again.
  /// - Returns: The names of the sessions that were live.
  package func switchAllOff() -> [String] {
    let live = contents.withLock { contents in
      let live = contents.records.filter { $0.value.isLive }.sorted { $0.key > $1.key }
      contents.shutdowns += 1
      conformances.flip(on: [], off: live.map(\.key))
      let lingering = contents.records.values.compactMap(\.lingering?.gates)
      SessionSwitch.flip(on: [], off: live.map(\.value.gate) + lingering.joined())
      for (session, _) in live { contents.setLive(false, session) }
      return live.map { (number: $0.key, name: $0.value.name) }
    }
    withdraw(live.map(\.number))
    restore()
    return live.map(\.name)
  }

  /// Makes some sessions live and lets others end, in one store: no call sees a part of it.
  /// - Parameters:
  ///   - taken: The classes of Lua's that those which start have: no other goes on with them.
  ///   - shutdowns: How many there were when the operation began; nil: whatever there was.
  /// - Returns: False if there has been another: then nothing has changed.
  func flip(
    on starting: [Int], off ending: [Int], taking taken: Set<ObjectIdentifier> = [],
    unlessAfter shutdowns: Int? = nil
  ) -> Bool {
    conformances.prepare(starting)
    return contents.withLock { contents in
      if let shutdowns, contents.shutdowns != shutdowns { return false }
      // Code that finds a conformance of the program's types finds its functions live: a conformance
      // begins after them, and ends before. Classes made in Lua have no objects before.
      conformances.beginMade(starting)
      let replaced = starting.isEmpty ? ending : []
      let lingering = Set(ending.filter { contents.records[$0]?.lingering != nil })
      conformances.flip(on: [], off: replaced, lingering: lingering)
      defer { conformances.flip(on: starting, off: ending, lingering: lingering) }
      SessionSwitch.flip(
        on: starting.compactMap { contents.records[$0]?.gate }
          + ending.flatMap { contents.records[$0]?.lingering?.gates ?? [] },
        off: ending.compactMap { contents.records[$0]?.gate }
          + contents.records.values.flatMap { record in
            taken.compactMap { record.lingering?.classes[$0]?.gate }
          })
      for session in starting { contents.setLive(true, session) }
      for session in ending {
        contents.setLive(false, session)
        contents.records[session]?.hasEnded = true
      }
      return true
    }
  }

  /// Takes all overrides of sessions out, newest sessions first.
  func withdraw(_ sessions: [Int]) {
    let layers = contents.withLock { contents in
      sessions.sorted(by: >).flatMap { session -> [InstalledOverride] in
        guard let layers = contents.records[session]?.layers.values else { return [] }
        let sorted = layers.flatMap(\.all).sorted { $0.rank > $1.rank }
        contents.remove(sorted)
        contents.records[session]?.hasEnded = true
        contents.records[session]?.withdrawn += sorted
        contents.records[session]?.layers = [:]
        return sorted
      }
    }
    interceptor.remove(layers)
  }

  /// Writes baseline words back wherever no override is left.
  func restore() { interceptor.restore() }

  /// Forgets a session of which no call is in flight.
  func close(_ session: Int) {
    withdraw([session])
    endLingering(of: session)
    conformances.close(session)
    contents.withLock { contents in
      contents.setLive(false, session)
      _ = contents.records.removeValue(forKey: session)
    }
  }
}
