// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingInterception

/// A call of an async function that C has begun, as something that an activity waits for. C gives Lua
/// the results.
/// Unchecked: as `Wait`.
final class CompiledWait: Wait, @unchecked Sendable {
  /// The call, until it is handed over.
  private var call: OpaquePointer?

  /// Adopts the call. The state is entered.
  /// - Returns: nil: it is none of C's.
  init?(_ callback: UnsafeMutablePointer<wax_lua_callback>) {
    guard let call = wax_call_async_call_of(callback) else { return nil }
    self.call = call
    wax_call_async_call_adopt(call)
  }

  deinit {
    if let call { wax_call_async_call_drop(call) }
  }

  override func next() -> UnsafePointer<Suspension>? {
    call.flatMap(wax_call_async_call_next)
  }

  override func handOver() {
    if let call { wax_call_async_call_hand_over(call) }
    call = nil
  }

  /// Takes the outcome of the override's original for a script that has ended.
  /// - Returns: The frame of its call; nil if it was another call.
  func takeOutcome() -> FramePointer? {
    call.flatMap(wax_call_async_call_take_outcome)
  }
}
