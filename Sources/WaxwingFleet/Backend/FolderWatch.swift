// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingSystem

/// Looks at a folder several times a second.
/// Unchecked: one thread calls `next`; the monitor guards the rest.
final class FolderWatch: FleetWatch, @unchecked Sendable {
  private static let interval = 0.2

  private let tree: FolderTree
  private let prefix: String
  private var seen: FolderBackend.Contents
  private let isCancelled = Monitor(false)

  init(_ tree: FolderTree, _ prefix: String, _ start: FolderBackend.Contents) {
    self.tree = tree
    self.prefix = prefix
    seen = start
  }

  func next(until deadline: Deadline) throws(FleetError) -> [FleetEvent] {
    while true {
      let events = try changes()
      if !events.isEmpty { return events }
      let pause = min(deadline, .after(seconds: Self.interval))
      if isCancelled.wait(until: pause, { $0 ? true : nil }) == true {
        throw FleetError(.cancelled, "the watch was cancelled")
      }
      if deadline.isPast { return [] }
    }
  }

  func cancel() { isCancelled.withLock { $0 = true } }

  private func changes() throws(FleetError) -> [FleetEvent] {
    let contents = try tree.contents(prefix)
    var events: [FleetEvent] = []
    for key in seen.keys.sorted() where contents[key] == nil {
      events.append(.delete(key: key, revision: 0))
    }
    for (key, file) in contents.sorted(by: { $0.key < $1.key }) where seen[key] != file {
      // It may be gone again; the next look says so.
      if let entry = try tree.entry(file) { events.append(.put(entry)) }
    }
    seen = contents
    return events
  }
}
