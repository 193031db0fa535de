// SPDX-License-Identifier: MIT

import Synchronization
package import WaxwingControl

/// The audit log of this process, from the moment in which it listens.
package final class AuditLog: Sendable {
  private struct State {
    var file: AuditFile?
    /// Why the last record could not be written.
    var trouble: String?
  }

  private let state = Mutex(State())

  package init() {}

  /// Begins to keep a log.
  /// - Parameter isChosen: Whether somebody named the place. If not, and nothing can be written there,
  ///   no log is kept.
  /// - Returns: Why there will be no records, if that was not to be expected.
  package func open(_ path: String, isChosen: Bool) -> AuditError? {
    state.withLock { state in
      if state.file?.path == path { return nil }
      var file = AuditFile(path: path)
      do throws(AuditError) {
        try file.open()
        state = State(file: file)
        return nil
      } catch {
        state = isChosen ? State(file: file, trouble: error.message) : State()
        return isChosen ? error : nil
      }
    }
  }

  /// Keeps no log any more.
  package func close() { state.withLock { $0 = State() } }

  package var isKept: Bool { state.withLock { $0.file != nil } }

  /// Adds a record; a no-op where no log is kept.
  package func append(_ record: AuditRecord) throws(AuditError) {
    try state.withLock { (state) throws(AuditError) in
      guard var file = state.file else { return }
      do throws(AuditError) {
        try file.append(record, time: Timestamp.now().description)
        state.file = file
        state.trouble = nil
      } catch {
        state.trouble = error.message
        throw error
      }
    }
  }

  /// How the log is.
  package var summary: AuditState {
    state.withLock { state in
      guard let file = state.file else { return AuditState(path: nil) }
      return AuditState(
        path: file.path, records: file.head.number, head: file.head.hash, trouble: state.trouble)
    }
  }
}
