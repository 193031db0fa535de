// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import ClobberProbe
import Expectations
import Glibc
import InterceptionFixture
import Synchronization
import Testing
import WaxwingInterception

extension FixtureTests {
  @Suite struct OverrideTests {
    let account = Account(base: 100)
    let interceptor = Interceptor()
    let session: SessionSwitch

    init() throws { session = try SessionSwitch() }

    /// Installs the override, switches it on, runs, and restores.
    private func withOverride(
      of part: String, stackBytes: Int = 0,
      _ handler: @escaping @Sendable (Override, FramePointer) -> Bool, run: () throws -> Void
    ) throws {
      let point = try patchPoint(part, stackBytes: stackBytes)
      let layer = try Override(handler).install(at: point, session, interceptor)
      session.activate()
      defer {
        session.deactivate()
        interceptor.remove([layer])
        expectEqual(interceptor.restore().restored, [point])
        #expect(isAtBaseline(point))
      }
      try run()
    }

    @Test func `an override sees its arguments and gives its result`() throws {
      try withOverride(of: "Account.sum") { _, frame in
        frame.pointee.firstResult = frame.pointee.argument(0) * 1000 + frame.pointee.argument(1)
        return true
      } run: {
        expectEqual(account.sum(3, 4), 3004)
      }
      expectEqual(account.sum(3, 4), 107)
    }

    @Test func `an override sees self`() throws {
      let own = UInt64(UInt(bitPattern: Unmanaged.passUnretained(account).toOpaque()))
      try withOverride(of: "Account.sum") { _, frame in
        frame.pointee.firstResult = frame.pointee.selfRegister == own ? 1 : 0
        return true
      } run: {
        expectEqual(account.sum(3, 4), 1)
      }
    }

    @Test func `more than six integers reach override and original`() throws {
      try withOverride(of: "Account.nine", stackBytes: 24) { override, frame in
        frame.pointee.integer.0 += 100
        frame.pointee.stack[2] += 100
        override.callNext(frame)
        return true
      } run: {
        expectEqual(account.nine(1, 2, 3, 4, 5, 6, 7, 8, 9), [101, 2, 3, 4, 5, 6, 7, 8, 109])
      }
    }

    @Test func `more than eight doubles reach override and original`() throws {
      try withOverride(of: "Account.ten", stackBytes: 16) { override, frame in
        frame.pointee.vector.7.low = (-8.0).bitPattern
        frame.pointee.stack[1] = (-10.0).bitPattern
        override.callNext(frame)
        return true
      } run: {
        expectEqual(account.ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), [1, 2, 3, 4, 5, 6, 7, -8, 9, -10])
      }
    }

    @Test func `mixed arguments pass through while the switch is off`() throws {
      let layout = CallLayout(
        parameters: [
          .direct(.integer(size: 1)), .direct(.double),
          .direct(.fields([.integer(size: 8), .pointer])),
          .direct(.float), .direct(.integer(size: 1)), .direct(.integer(size: 4)),
          .direct(.fields([.integer(size: 8), .pointer])), .direct(.integer(size: 2)),
        ], result: .direct(.fields([.integer(size: 8), .pointer])), selfForm: .selfRegister)
      try withOverride(of: "Account.mixed", stackBytes: layout.stackBytes) { _, _ in
        false
      } run: {
        session.deactivate()
        let text = account.mixed(-1, 2.5, "three, and long enough", 4.5, true, -6, "seven", 8)
        expectEqual(text, "-1 2.5 three, and long enough 4.5 true -6 seven 8")
        session.activate()
        expectEqual(account.mixed(1, 2, "", 4, false, 6, "7", 8), "1 2.0  4.0 false 6 7 8")
      }
    }

    @Test func `strings go in and come out`() throws {
      let string = CallLayout.Value.direct(.fields([.integer(size: 8), .pointer]))
      let layout = CallLayout(parameters: [string], result: string, selfForm: .selfRegister)
      try withOverride(of: "Account.greeting") { _, frame in
        withUnsafeTemporaryAllocation(of: String.self, capacity: 1) { memory in
          let address = memory.baseAddress!
          frame.readArgument(layout.parameters[0], into: address)
          let result = "goodbye \(address.pointee), whose name is long enough for the heap"
          address.initialize(to: result)  // the argument was borrowed, the result is given away
          frame.writeResult(layout.result, from: address)
        }
        return true
      } run: {
        expectEqual(account.greeting("Ada"), "goodbye Ada, whose name is long enough for the heap")
      }
      expectEqual(account.greeting("Ada"), "hello Ada, 100")
    }

    @Test func `an error of the original passes through and can be taken back`() throws {
      try withOverride(of: "Account.withdraw") { override, frame in
        override.callNext(frame)
        if frame.pointee.argument(0) == 500 {
          Unmanaged<AnyObject>.fromOpaque(
            UnsafeRawPointer(bitPattern: UInt(frame.pointee.thrownError))!
          ).release()
          frame.pointee.thrownError = 0
          frame.pointee.firstResult = -1
        }
        return true
      } run: {
        let left = try account.withdraw(30)
        expectEqual(left, 70)
        #expect(throws: Refusal(code: 400)) { try account.withdraw(400) }
        let refused = try account.withdraw(500)
        expectEqual(refused, -1)
      }
    }

    @Test func `an override throws into a throwing function`() throws {
      try withOverride(of: "Account.withdraw") { _, frame in
        withUnsafeTemporaryAllocation(of: (any Error).self, capacity: 1) { memory in
          memory.initializeElement(at: 0, to: Refusal(code: 7))  // given away with r12
          frame.pointee.thrownError = UnsafeRawPointer(memory.baseAddress!).load(as: UInt64.self)
        }
        return true
      } run: {
        #expect(throws: Refusal(code: 7)) { try account.withdraw(1) }
      }
    }

    @Test func `a second call of the original does not inherit the first one's error`() throws {
      try withOverride(of: "Account.withdraw") { override, frame in
        override.callNext(frame)
        if frame.pointee.thrownError != 0 {
          Unmanaged<AnyObject>.fromOpaque(
            UnsafeRawPointer(bitPattern: UInt(frame.pointee.thrownError))!
          ).release()
          frame.pointee.integer.0 = 10
          override.callNext(frame)
        }
        return true
      } run: {
        let second = try account.withdraw(400)
        expectEqual(second, 90)
      }
    }

    @Test func `a result of more than four words is written by override and original`() throws {
      try withOverride(of: "Account.statement") { override, frame in
        override.callNext(frame)
        let result = UnsafeMutablePointer<Statement>(
          bitPattern: UInt(frame.pointee.indirect_result))!
        result.pointee.fees = 33
        return true
      } run: {
        let expected = Statement(opening: 1, deposits: 2, fees: 33, interest: 4, closing: 100)
        expectEqual(account.statement(1), expected)
      }
    }

    @Test func `static and recursive methods`() throws {
      try withOverride(of: "Account.double") { override, frame in
        override.callNext(frame)
        frame.pointee.firstResult += 1
        return true
      } run: {
        expectEqual(Account.double(21), 43)
      }
      try withOverride(of: "Account.countdown") { override, frame in
        override.callNext(frame)
        frame.pointee.firstResult += 1
        return true
      } run: {
        expectEqual(account.countdown(300), 100 + 301)
      }
    }

    @Test func `newer layers run first and reach the older through call_next`() throws {
      let trace = Mutex<[String]>([])
      let point = try patchPoint("Account.sum")
      let other = try SessionSwitch()
      func tracing(_ name: String, _ session: SessionSwitch) throws -> InstalledOverride {
        try Override { override, frame in
          trace.withLock { $0.append(name) }
          override.callNext(frame)
          trace.withLock { $0.append("/\(name)") }
          return true
        }.install(at: point, session, interceptor)
      }
      func takeTrace() -> String {
        _ = account.sum(1, 2)
        return trace.withLock { trace in
          defer { trace = [] }
          return trace.joined(separator: " ")
        }
      }
      let layers = [try tracing("a", session), try tracing("b", other), try tracing("c", session)]
      expectEqual(takeTrace(), "")
      session.activate()
      expectEqual(takeTrace(), "c a /a /c")
      other.activate()
      expectEqual(takeTrace(), "c b a /a /b /c")
      interceptor.remove([layers[2]])
      expectEqual(takeTrace(), "b a /a /b")
      session.deactivate()
      expectEqual(takeTrace(), "b /b")
      expectEqual(interceptor.restore().overridden, 1)
      interceptor.remove(layers)
      #expect(interceptor.restore().isComplete)
      #expect(isAtBaseline(point))
    }

    @Test func `an owner lives until its layer is out of sight`() throws {
      final class Witness: Sendable {}
      weak var witness: Witness?
      let point = try patchPoint("Account.sum")
      do {
        let object = Witness()
        witness = object
        let layer = try interceptor.install(at: point, session: session, owner: object) { _, _ in
          false
        }
        interceptor.remove([layer])
      }
      expectEqual(interceptor.reclaim(), 0)
      #expect(witness == nil)
      expectEqual(interceptor.restore().restored, [point])
    }

    @Test func `a patch point keeps its slot and its baseline word`() throws {
      let point = try patchPoint("Account.sum")
      var claimed: [Int] = []
      for _ in 0..<3 {
        let layer = try interceptor.install(at: point, session: session) { _, _ in false }
        #expect(!isAtBaseline(point))
        interceptor.remove([layer])
        expectEqual(interceptor.restore().restored, [point])
        claimed.append(wax_runtime_slots_claimed())
      }
      expectEqual(Set(claimed).count, 1)
    }

    @Test func `another signature for a patch point is refused`() throws {
      let point = try patchPoint("Account.sum")
      let layer = try interceptor.install(at: point, session: session) { _, _ in false }
      let other = InterceptionPoint(entry: point.entry, function: point.function, stackBytes: 8)
      let error = #expect(throws: InterceptionError.self) {
        try interceptor.install(at: other, session: session) { _, _ in false }
      }
      expectEqual(error?.code, .conflict)
      interceptor.remove([layer])
      #expect(interceptor.restore().isComplete)
    }

    @Test func `an entry that something else wrote is left alone`() throws {
      let point = try patchPoint("Account.sum")
      let layer = try interceptor.install(at: point, session: session) { _, _ in false }
      let stub = point.entry.pointee
      point.entry.pointee = nil
      interceptor.remove([layer])
      expectEqual(interceptor.restore().foreign, [point])
      #expect(point.entry.pointee == nil)
      point.entry.pointee = stub
      let again = try interceptor.install(at: point, session: session) { _, _ in false }
      interceptor.remove([again])
      expectEqual(interceptor.restore().restored, [point])
    }

    @Test func `a backtrace passes through stub and invoker`() throws {
      let names = Mutex<[String]>([])
      try withOverride(of: "Account.run") { override, frame in
        override.callNext(frame)
        return true
      } run: {
        account.run {
          var addresses = [UnsafeMutableRawPointer?](repeating: nil, count: 64)
          let count = probe_backtrace(&addresses, addresses.count)
          for address in addresses.prefix(count) {
            let name = probe_function_name(address.map { $0 - 1 })
            names.withLock { $0.append(String(cString: name!)) }
            free(name)
          }
        }
      }
      let trace = names.withLock { $0 }
      let steps = [
        "run", "wax_runtime_invoke", "wax_runtime_call_next", "wax_runtime_dispatch",
        "wax_runtime_stub_common", "OverrideTests",
      ]
      var rest = trace[...]
      for step in steps {
        let index = rest.firstIndex { $0.contains(step) }
        #expect(index != nil, "\(step) is not in \(rest) of \(trace)")
        rest = index.map { rest[($0 + 1)...] } ?? rest
      }
    }
  }
}
