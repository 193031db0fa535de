// SPDX-License-Identifier: MIT

import WaxwingCore
import WaxwingInterception
import WaxwingOperations
import WaxwingSystem

extension Log {
  /// A call does not return.
  func write(stuck call: StuckCall, patch: String) {
    write(
      .warning, call.isOverride ? "override.stuck" : "closure.stuck",
      "a call has not returned for \(call.seconds) s; the call and the patch continue",
      fields(call, patch) + [("in", call.stack.prefix(8).joined(separator: "; "))])
  }

  /// A call of which that was said has returned.
  func write(returned call: StuckCall, patch: String) {
    write(
      .info, call.isOverride ? "override.returned" : "closure.returned",
      "the stuck call has returned after \(call.seconds) s", fields(call, patch))
  }

  private func fields(_ call: StuckCall, _ patch: String) -> [(name: String, value: any LogValue)] {
    [
      ("patch", patch), ("function", call.function), ("thread", Int(call.thread)),
      ("thread_name", ThreadName.of(call.thread)), ("seconds", Int(call.seconds)),
    ]
  }

  /// A thread stays in a patch's Lua code.
  func write(
    occupied patch: String, by thread: UInt64, _ function: String?, seconds: Int64,
    switchedOff count: Int
  ) {
    write(
      .error, "patch.stuck",
      "a thread does not leave the patch's Lua code, and no limit has stopped it: calls of its overrides go "
        + "to the original; revert the patch, and restart the program to end the thread",
      [
        ("patch", patch), ("function", function ?? ""), ("thread", Int(thread)),
        ("thread_name", ThreadName.of(thread)), ("seconds", Int(seconds)),
        ("switched_off", count),
      ])
  }
}

extension StuckCall {
  fileprivate var seconds: Int64 { began.age.components.seconds }
}
