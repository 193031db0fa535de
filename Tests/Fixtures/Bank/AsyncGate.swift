// SPDX-License-Identifier: MIT

import Synchronization

/// Suspends callers until a test lets them go.
public final class AsyncGate: Sendable {
  private struct State {
    var isOpen = false
    var lastTicket = 0
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var cancelled: Set<Int> = []
    var passed = 0
  }
  private let state = Mutex(State())

  public init() {}

  /// How many callers are suspended.
  public var waiting: Int { state.withLock { $0.waiting.count } }
  /// How many callers have gone through.
  public var passed: Int { state.withLock { $0.passed } }

  /// Lets all through, those that come later too.
  public func open() {
    let all = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in all { continuation.resume(returning: true) }
  }

  /// Suspends those that come from now on.
  public func close() { state.withLock { $0.isOpen = false } }

  /// Lets one caller through that is suspended, if there is one.
  public func admit() {
    let first = state.withLock { state in
      state.waiting.keys.min().flatMap { state.waiting.removeValue(forKey: $0) }
    }
    first?.resume(returning: true)
  }

  /// Waits for the gate, cancelled or not.
  ///
  /// - Returns: How many have gone through, with this call.
  public func pass() async -> Int {
    let ticket = ticket()
    _ = await withCheckedContinuation { enter($0, ticket) }
    return note()
  }

  /// Waits for the gate with something in its hands; throws if there is no label on it.
  ///
  /// - Returns: A new one with the next number.
  public func carry(_ parcel: AsyncParcel, _ label: String) async throws -> AsyncParcel {
    _ = await pass()
    if label.isEmpty { throw BankError.insufficient(parcel.number) }
    return AsyncParcel(parcel.number + label.count)
  }

  /// The same with text that it gives back.
  public func stamp(_ text: String) async -> String {
    _ = await pass()
    return text + ", stamped"
  }

  /// Waits for the gate, or until the task is cancelled.
  public func passUnlessCancelled() async throws -> Int {
    let ticket = ticket()
    let admitted = await withTaskCancellationHandler {
      await withCheckedContinuation { enter($0, ticket) }
    } onCancel: {
      cancel(ticket)
    }
    if !admitted { throw CancellationError() }
    return note()
  }

  private func ticket() -> Int {
    state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
  }

  /// Resumes at once what need not wait.
  private func enter(_ continuation: CheckedContinuation<Bool, Never>, _ ticket: Int) {
    let answer: Bool? = state.withLock { state in
      if state.cancelled.remove(ticket) != nil { return false }
      if state.isOpen { return true }
      state.waiting[ticket] = continuation
      return nil
    }
    if let answer { continuation.resume(returning: answer) }
  }

  private func cancel(_ ticket: Int) {
    let continuation = state.withLock { state in
      let continuation = state.waiting.removeValue(forKey: ticket)
      if continuation == nil { state.cancelled.insert(ticket) }
      return continuation
    }
    continuation?.resume(returning: false)
  }

  private func note() -> Int {
    state.withLock { state in
      state.passed += 1
      return state.passed
    }
  }
}
