// SPDX-License-Identifier: MIT

import Synchronization

/// Holds those that come until all are there.
public final class Turnstile: Sendable {
  private let expected: Int
  private let waiting = Mutex<[UnsafeContinuation<Void, Never>]>([])

  public init(expected: Int) { self.expected = expected }

  @inline(never)
  public func pass() async {
    await withUnsafeContinuation { continuation in
      for admitted in admitted(with: continuation) { admitted.resume() }
    }
  }

  /// - Returns: All, if this is the last one; else nobody.
  private func admitted(
    with continuation: UnsafeContinuation<Void, Never>
  ) -> [UnsafeContinuation<Void, Never>] {
    waiting.withLock { waiting in
      waiting.append(continuation)
      if waiting.count < expected { return [] }
      defer { waiting = [] }
      return waiting
    }
  }
}
