// SPDX-License-Identifier: MIT

import Bank
import CWaxwingLua
import EngineTestSupport
import Expectations
import Foundation
import Testing
import Waxwing

extension EngineSuite {
  /// Makes the same calls on both paths, through C and through Swift, and compares all that can be seen of them:
  /// results, errors, counters, faults with their tracebacks, log events, and how long objects live.
  @Suite(.enabled(if: !wax_call_takes_long_way(), "all calls of this process take the long way"))
  struct CallPathTests {
    @Test(arguments: CallPathOutcome.all)
    func `both paths do the same`(outcome: CallPathOutcome) throws {
      let script = outcome.script(CallPathRow.all)
      let c = try CallPathRun(.c).run(script) { CallPathRow.call(for: outcome) }
      let swift = try CallPathRun(.swift).run(script) { CallPathRow.call(for: outcome) }
      expectSame(c, swift)
      expectEqual(c.last, "objects left: [0, 0, 0, 0]")
      expectEqual(c.filter { $0.hasPrefix("override ") }.count, CallPathRow.all.count)
    }

    @Test(arguments: CallPathOutcome.all.filter(\.isForAsync))
    func `both paths do the same in async functions`(outcome: CallPathOutcome) async throws {
      let script = outcome.script(CallPathRow.async)
      let c = try await CallPathRun(.c).run(script) { await CallPathRow.callAsync(outcome.rounds) }
      let swift = try await CallPathRun(.swift).run(script) {
        await CallPathRow.callAsync(outcome.rounds)
      }
      expectSame(c, swift)
      expectEqual(c.last, "objects left: [0, 0, 0, 0]")
      expectEqual(c.filter { $0.hasPrefix("override ") }.count, CallPathRow.async.count)
    }

    #if DEBUG
      /// Without this, both runs could take the same path, and the tests above compare nothing. Optimised C leaves no frame
      /// of the function that tells.
      @Test func `the paths that are compared are two`() throws {
        let script = "local C = class 'Bank.Closures'\nfunction C:run(n) return self:ORIGrun(n) end"
        for path in [CallPathRun.Path.c, .swift] {
          let closures = Closures()
          closures.handler = { _ in CallPathRun.isInC() ? 1 : 0 }
          let lines = try CallPathRun(path).run(script) { ["\(closures.run(5))"] }
          expectEqual(lines.first, path == .c ? "1" : "0")
        }
      }
    #endif

    private func expectSame(
      _ c: [String], _ swift: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
      for change in swift.difference(from: c) {
        switch change {
        case .remove(_, let line, _):
          Issue.record("by C only: \(line)", sourceLocation: sourceLocation)
        case .insert(_, let line, _):
          Issue.record("by Swift only: \(line)", sourceLocation: sourceLocation)
        }
      }
    }
  }
}

/// A patch that runs with its calls on one path.
struct CallPathRun {
  enum Path { case c, swift }

  private let path: Path

  init(_ path: Path) { self.path = path }

  /// - Returns: What `calls` returns, then everything else that can be seen of the calls.
  func run(_ script: String, _ calls: @escaping @Sendable () -> [String]) throws -> [String] {
    let log = LogLines()
    let alive = Self.alive
    let session = try start(script, log)
    defer { WaxwingEngine.setLogHandler { _ in } }
    var lines = Self.onLargeStack(calls)
    lines += try seen(log)
    let restoration = try WaxwingEngine.end(session)
    return lines + after(restoration, since: alive)
  }

  /// Does the same where the calls wait.
  func run(_ script: String, _ calls: () async -> [String]) async throws -> [String] {
    let log = LogLines()
    let alive = Self.alive
    let session = try start(script, log)
    defer { WaxwingEngine.setLogHandler { _ in } }
    var lines = await calls()
    lines += try seen(log)
    let restoration = try await offPool { try WaxwingEngine.end(session) }
    return lines + after(restoration, since: alive)
  }

  /// Whether this thread is in a call that C makes.
  static func isInC() -> Bool {
    let handler: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Bool =
      unsafeBitCast(
        wax_call_run_override
          as @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<wax_runtime_frame>?)
          -> Bool,
        to: (@convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Bool).self)
    let address = unsafeBitCast(handler, to: UInt.self)
    return Thread.callStackReturnAddresses.contains {
      address < $0.uintValue && $0.uintValue < address + 2048
    }
  }

  private func start(_ script: String, _ log: LogLines) throws -> Session {
    WaxwingEngine.setLogHandler { event in
      let fields = event.fields.filter { $0.name != "ms" }.map { "\($0.name)=\($0.value)" }
      log.add("log \(event.event): \(event.message) \(fields)")
    }
    let variable = "WAXWING_LONG_WAY"
    if path == .swift { setenv(variable, "1", 1) }
    defer { unsetenv(variable) }
    return try WaxwingEngine.start(text: script, name: "test")
  }

  private func seen(_ log: LogLines) throws -> [String] {
    try WaxwingEngine.list().flatMap(\.overrides).map { override in
      let fault = override.lastError
      return """
        override \(override.owner).\(override.selector): \(override.calls) calls, \(override.errors) errors, \
        off: \(override.switchedOff ?? "no"), bypassed: \(override.bypassed) \(override.bypassReasons), \
        fault: \(fault.map { "\($0.file):\($0.line): \($0.message)\n\($0.traceback)" } ?? "none")
        """
    } + log.all
  }

  private func after(_ restoration: Restoration, since alive: [Int]) -> [String] {
    let left = zip(Self.alive, alive).map { $0 - $1 }
    return ["complete: \(restoration.isComplete)", "objects left: \(left)"]
  }

  private static var alive: [Int] {
    [Census.accounts.alive, Machine.census.alive, Closures.census.alive, Token.alive]
  }

  /// Paths need different amounts of stack: on this one a chain of calls ends by its depth on either.
  private static func onLargeStack(_ body: @escaping @Sendable () -> [String]) -> [String] {
    let result = LogLines()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      for line in body() { result.add(line) }
      done.signal()
    }
    thread.stackSize = 64 << 20
    thread.start()
    #expect(done.wait(timeout: .now() + 120) == .success, "the calls do not end")
    return result.all
  }
}
