// SPDX-License-Identifier: MIT

import Glibc

/// Starts the engine's own threads. They never take a signal, which belong to the host program,
/// and never run on a pool that the host could exhaust.
package enum EngineThread {
  /// Carries the closure through C.
  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Runs `body` on a new detached thread.
  /// - Parameter name: at most 15 bytes, as debuggers and `top -H` show it.
  package static func start(
    name: String, stackSize: Int, body: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
    let result = withSignalsBlocked {
      var thread = pthread_t()
      return unsafe pthread_create(
        &thread, &attributes, { unsafe EngineThread.run($0) }, unsafe start.toOpaque())
    }
    guard result == 0 else {
      unsafe start.release()
      throw ThreadError(number: result)
    }
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    setName(start.name)
    start.body()
    return nil
  }

  /// A new thread inherits the mask: no signal can hit it before it would set its own. But SIGILL does not come
  /// from elsewhere: a thread gets it where the program's code is being changed (`code_entry.c`).
  private static func withSignalsBlocked(_ body: () -> Int32) -> Int32 {
    var all = sigset_t()
    var previous = sigset_t()
    unsafe sigfillset(&all)
    unsafe sigdelset(&all, SIGILL)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
    return body()
  }

  /// A nameless thread works as well, so failure is of no interest.
  private static func setName(_ name: String) {
    let descriptor = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = unsafe write(descriptor, name, name.utf8.count)
    close(descriptor)
  }
}
