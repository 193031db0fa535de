// SPDX-License-Identifier: MIT

/// The self-check of what the engine takes from the ABI of Swift's compiler and runtime: docs/abi.md.
///
/// Each canary compares one part of it with samples of our own, which were compiled with the engine.
/// What is read where nothing may be is read through the kernel, so that a canary fails rather than
/// crashes; those that call something come after those that make sure of what they call.
package struct ABICheck: Sendable {
  /// A check of one part.
  package struct Canary: Sendable {
    /// The subject of the check for messages, such as `class metadata`.
    let name: String
    let check: @Sendable (ABIView) throws(ABIMismatch) -> Void

    package init(_ name: String, _ check: @escaping @Sendable () -> String?) {
      self.name = name
      self.check = { (_) throws(ABIMismatch) in
        if let found = check() { throw ABIMismatch(found) }
      }
    }

    init(
      view name: String, _ check: @escaping @Sendable (ABIView) throws(ABIMismatch) -> Void
    ) {
      self.name = name
      self.check = check
    }
  }

  /// A canary that has found something else.
  package struct Failure: Hashable, Sendable {
    package let canary: String
    package let found: String
  }

  private let canaries: [Canary]

  package init(canaries: [Canary] = ABICheck.canaries) {
    self.canaries = canaries
  }

  /// The first canary that fails; nil if the engine and Swift agree. Later canaries are not asked,
  /// because they may rely on the one that failed.
  package func failure() -> Failure? {
    for canary in canaries {
      do throws(ABIMismatch) {
        try canary.check(ABIView())
      } catch {
        return Failure(canary: canary.name, found: error.found)
      }
    }
    return nil
  }

  /// The checks in the order in which they run: first layouts, then functions that are called.
  static let canaries: [Canary] =
    runtimeCanaries + metadataCanaries + descriptorCanaries + valueCanaries + holdingCanaries
    + functionCanaries
}

/// The finding of a canary, as a sentence.
struct ABIMismatch: Error {
  let found: String

  init(_ found: String) {
    self.found = found
  }
}
