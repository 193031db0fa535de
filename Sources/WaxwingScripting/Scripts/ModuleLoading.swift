// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingProcess
internal import Synchronization

/// Observes images that the program loads while it runs.
package enum ModuleLoading {
  private struct Observer: Sendable {
    let run: @Sendable () -> Void
  }

  private static let observer = Mutex<Observer?>(nil)

  /// Whether anybody can be told.
  static let isWatched = wax_process_watch_images {
    wax_call_forget_choices()
    let current = ModuleLoading.observer.withLock { $0 }
    current?.run()
  }

  /// Calls `body` whenever images have been loaded, on the thread that has loaded them and before
  /// it can call their code. For one observer in the process.
  package static func observe(_ body: @escaping @Sendable () -> Void) {
    observer.withLock { $0 = Observer(run: body) }
  }
}
