// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization

/// The descriptor that can be read when the main queue has work: what CoreFoundation's run loop waits
/// for on Linux (libdispatch, src/queue.c).
@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func mainQueueDescriptor() -> CInt

/// Does the work that is in the main queue. Called on the main thread only.
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func serveMainQueue(_ message: UnsafeMutableRawPointer?)

/// The main thread as what runs the main actor's work.
enum MainThread {
  private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// Waits for `body`, and does the main actor's work until then. `dispatchMain` would do that for ever,
  /// and on another thread.
  /// - Precondition: The thread is the main one.
  static func wait<Value: Sendable>(for body: @escaping @Sendable () async -> Value) -> Value {
    let outcome = Outcome<Value>()
    Task {
      let value = await body()
      // There, so that the main thread wakes up.
      await MainActor.run { outcome.value.withLock { $0 = value } }
    }
    let descriptor = mainQueueDescriptor()
    while true {
      if let value = outcome.value.withLock({ $0 }) { return value }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, -1) > 0 else { continue }
      var count: UInt64 = 0
      _ = unsafe read(descriptor, &count, MemoryLayout.size(ofValue: count))
      serveMainQueue(nil)
    }
  }
}
