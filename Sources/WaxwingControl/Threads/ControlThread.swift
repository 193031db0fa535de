// SPDX-License-Identifier: MIT

import WaxwingSystem

/// Starts the threads of the control socket.
enum ControlThread {
  /// Runs `body` on a new detached thread.
  /// - Parameter name: At most 15 bytes.
  static func start(
    name: String, stackSize: Int, body: @escaping @Sendable () -> Void
  ) throws(ControlError) {
    do throws(ThreadError) {
      try EngineThread.start(name: name, stackSize: stackSize, body: body)
    } catch {
      throw ControlError(.system, message: error.message, remedy: error.remedy)
    }
  }
}
