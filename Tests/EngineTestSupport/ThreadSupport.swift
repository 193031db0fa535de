// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Synchronization
import Testing

/// A folder for patch files, gone with the value.
package final class PatchFolder {
  private let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  package init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.appending(path: name).path }

  package func write(_ text: String, _ name: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
}

/// Lines of a log, in order.
package final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])
  package init() {}

  package var all: [String] { lines.withLock { $0 } }
  package func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Runs `body` on `count` threads at once and waits for all.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    let once = OneCall(body)
    let thread = Thread {
      once.call(index)
      group.leave()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }
  group.waitInTime()
}

/// A function that is let go when it has been called: threads keep theirs a while after that.
private final class OneCall: Sendable {
  private let body: Mutex<(@Sendable (Int) -> Void)?>

  init(_ body: @escaping @Sendable (Int) -> Void) {
    self.body = Mutex(body)
  }

  func call(_ index: Int) {
    let body = body.withLock { body in
      defer { body = nil }
      return body
    }
    body?(index)
  }
}
