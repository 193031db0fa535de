// SPDX-License-Identifier: MIT

import Foundation

/// What is known of a process, written by the thread that watches it and read by its test.
final class ProcessRecord: @unchecked Sendable {
  private let name: String
  /// Guards `state`; signalled at each change.
  private let condition = NSCondition()
  private var state = State()
  /// Read by whoever has the lock; nil at their ends.
  private var output: FileDescriptor?
  private var errors: FileDescriptor?

  init(name: String, output: FileDescriptor, errors: FileDescriptor) {
    self.name = name
    self.output = output
    self.errors = errors
  }

  var status: ExitStatus? { read(\.status) }
  var standardOutput: String { read { String(decoding: $0.output, as: UTF8.self) } }
  var standardError: String { read { String(decoding: $0.errors, as: UTF8.self) } }

  /// Waits until the process has written something, and takes that in.
  /// - Returns: Whether more may come.
  func waitForOutput() -> Bool {
    let ends = read { _ in [output, errors].compactMap(\.self) }
    guard !ends.isEmpty else { return false }
    Pipe.wait(for: ends)
    return read { _ in output != nil || errors != nil }
  }

  func finish(_ status: ExitStatus) {
    change { $0.status = status }
  }

  /// Waits until `value` finds something in the state.
  func wait<Value>(_ what: String, timeout: Duration, _ value: (State) -> Value?) throws -> Value {
    let deadline = Date(timeIntervalSinceNow: timeout / .seconds(1))
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let value = value(state) { return value }
      guard state.status == nil, condition.wait(until: deadline) else { break }
    }
    let end = state.status.map { "ended (\($0))" } ?? "went on for \(timeout)"
    throw TestSupportError(
      """
      waited for \(what) of '\(name)', but it \(end)
      standard output: \(String(decoding: state.output, as: UTF8.self))
      standard error: \(String(decoding: state.errors, as: UTF8.self))
      """)
  }

  private func read<Value>(_ value: (State) -> Value) -> Value {
    condition.lock()
    defer { condition.unlock() }
    takeIn()
    return value(state)
  }

  /// With the lock.
  private func takeIn() {
    let (before, beforeErrors) = (state.output.count, state.errors.count)
    if let end = output, !end.readAvailable(into: &state.output) { output = nil }
    if let end = errors, !end.readAvailable(into: &state.errors) { errors = nil }
    if state.output.count > before || state.errors.count > beforeErrors { condition.broadcast() }
  }

  private func change(_ body: (inout State) -> Void) {
    condition.lock()
    defer { condition.unlock() }
    body(&state)
    condition.broadcast()
  }
}

extension ProcessRecord {
  struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    /// Nil while the process runs.
    var status: ExitStatus?

    /// The lines of the output that have their ends.
    var lines: [String] {
      output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }
}
