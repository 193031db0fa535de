// SPDX-License-Identifier: MIT

import Glibc
import WaxwingDeclarations
import WaxwingSystem

/// Lines on standard error, each in one piece.
struct AgentLog: Sendable {
  let program: String

  func write(_ line: String) {
    let time = UTCDate.text(Glibc.time(nil))
    let text = "\(time) \(program): \(VisibleText.line(line))\n"
    try? SystemCall.writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
  }
}
