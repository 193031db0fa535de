// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import CWaxwingProcess

/// A serial executor, as the runtime passes it: an object and how to talk to it.
///
/// Does not keep the object alive.
package struct ExecutorReference: Sendable {
  package let identity: UInt
  package let implementation: UInt

  /// The concurrent pool, which is no serial executor.
  package static let generic = ExecutorReference(identity: 0, implementation: 0)

  init(identity: UInt, implementation: UInt) {
    self.identity = identity
    self.implementation = implementation
  }

  package init(_ executor: UnownedSerialExecutor) {
    let words = unsafeBitCast(executor, to: (UInt, UInt).self)
    self.init(identity: words.0, implementation: words.1)
  }

  /// The executor of the main actor.
  package static var main: ExecutorReference { ExecutorReference(MainActor.sharedUnownedExecutor) }

  /// The executor of the job that the calling thread runs.
  package static var current: ExecutorReference {
    let current = wax_abi_executor_current()
    return ExecutorReference(
      identity: current.identity, implementation: current.implementation)
  }

  /// Whether the calling thread runs a job of this executor. Code of the main thread outside of
  /// tasks counts as the main actor's, as for `assumeIsolated`.
  package var isCurrent: Bool {
    let current = Self.current
    if self == current { return true }
    return current == .generic && self == .main && wax_process_is_main_thread()
  }
}

extension ExecutorReference: Hashable {
  /// Whether both are the same executor, as the runtime compares them: the implementation's lowest
  /// bits are flags.
  package static func == (left: ExecutorReference, right: ExecutorReference) -> Bool {
    left.identity == right.identity
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}
