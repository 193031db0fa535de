// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// Reads a daemon's log, each event once.
struct LogFollower {
  private let path: String
  private let arguments: ParsedArguments
  private var last: Int?
  /// The daemon that answered last.
  private(set) var daemon: DaemonInfo?

  /// The process ID of the daemon that answered last.
  var pid: Int32? { daemon?.pid }

  init(_ path: String, _ arguments: ParsedArguments) {
    self.path = path
    self.arguments = arguments
  }

  /// The events since the last time, at most this number of the newest.
  mutating func next(atMost most: Int) throws(CommandError) -> [LogPage.Line] {
    let daemon = try Daemon(at: path, arguments)
    let page = try daemon.send(LogRequest(after: last, most: most))
    last = page.last
    self.daemon = daemon.info
    return page.lines
  }

  /// Leaves out what there is so far.
  mutating func skip() throws(CommandError) { _ = try next(atMost: 0) }
}
