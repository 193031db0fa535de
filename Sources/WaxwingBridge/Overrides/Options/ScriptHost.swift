// SPDX-License-Identifier: MIT

import WaxwingLua
package import WaxwingValues

/// The host that runs a script: it is told what happens there, and does what only the engine around
/// the script can. Any thread that runs the script may call it, but none under a lock.
package protocol ScriptHost: AnyObject, Sendable {
  /// The script writes a line to the log.
  func log(_ line: LogLine)

  /// An override failed. Called with the state left.
  func overrideFailed(_ override: Override, _ fault: OverrideFault)

  /// An override has been switched off, after it failed. Called with the state left.
  /// - Parameter reason: The text after "switched off after …".
  func overrideWasSwitchedOff(_ override: Override, after reason: String)

  /// The first call of an override went to the program's own code for this reason. Called with the state left.
  func overrideWasBypassed(_ override: Override, for reason: Override.Bypass)

  /// The first call of an override did not run the original, of which nothing tells whether it takes over its
  /// `self`. Called with the state left.
  func overrideMayKeepSelf(_ override: Override)

  /// Installs an override that the script declares after it has loaded. Called with the state left.
  /// - Returns: The reason if it cannot be installed.
  func install(_ override: Override) -> String?

  /// The last piece of an override's advice is removed, perhaps by a call of it. No call begins in it any more.
  /// Called with the state left, of an override that was never installed too.
  func remove(_ override: Override)

  /// The class version of a type or module.
  func classVersion(of type: String) -> Int

  /// A Lua function failed that Swift called as a closure which does not throw.
  func closureFailed(_ fault: OverrideFault)

  /// A function failed that the script has given to `on`.
  func callbackFailed(_ fault: OverrideFault)

  /// A task for which no other code waits has failed. Called with the state left.
  func taskFailed(_ fault: OverrideFault)

  /// Hands a message to the client of the program that handles a name, once there is one.
  /// - Parameter reply: Called once unless the message is withdrawn; on any thread, perhaps at
  ///   once.
  /// - Returns: A function that withdraws the message, so that no reply comes any more; or the
  ///   reason why no client can have it.
  func send(
    _ text: String, to name: String, reply: @escaping @Sendable (MessageReply) -> Void
  ) -> Result<Withdrawal, UndeliverableMessage>

  /// The error that the program's `catch` sees.
  func error(for raised: RaisedError) -> any Error
}

/// The outcome of a message.
package enum MessageReply: Sendable, Equatable {
  /// The text of the reply.
  case text(String)
  /// Why there is none.
  case failure(String)
}

/// Withdraws a message that has been sent.
package typealias Withdrawal = @Sendable () -> Void

/// The error for a message that no script can receive.
package struct UndeliverableMessage: Error {
  let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// A script on its own: nothing is installed, and what fails is a line in the log.
extension ScriptHost {
  package func overrideFailed(_ override: Override, _ fault: OverrideFault) {}
  package func overrideWasSwitchedOff(_ override: Override, after reason: String) {}
  package func overrideWasBypassed(_ override: Override, for reason: Override.Bypass) {}
  package func overrideMayKeepSelf(_ override: Override) {}
  package func install(_ override: Override) -> String? { nil }
  package func remove(_ override: Override) {}
  package func classVersion(of type: String) -> Int { 0 }
  package func closureFailed(_ fault: OverrideFault) { logFailure(fault) }
  package func callbackFailed(_ fault: OverrideFault) { logFailure(fault) }
  package func taskFailed(_ fault: OverrideFault) { logFailure(fault) }
  package func error(for raised: RaisedError) -> any Error { raised }
  package func send(
    _ text: String, to name: String, reply: @escaping @Sendable (MessageReply) -> Void
  ) -> Result<Withdrawal, UndeliverableMessage> {
    .failure(UndeliverableMessage("there are no clients: this script is not a daemon's patch"))
  }

  private func logFailure(_ fault: OverrideFault) {
    log(
      LogLine(
        level: .error, message: fault.messageWithoutPosition,
        fields: [("function", .text(fault.function))], position: fault.position))
  }
}
