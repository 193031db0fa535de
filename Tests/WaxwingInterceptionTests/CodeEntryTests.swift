// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import ClobberProbe
import Expectations
import OptimizedFunctions
import Synchronization
import Testing

@testable import WaxwingInterception

/// The patch point of a function of OptimizedFunctions, by its code.
private func point(_ symbol: String, isAsync: Bool = false, stackBytes: Int = 0) throws
  -> InterceptionPoint
{
  let (code, size) = try found(symbol)
  let asyncPointer = isAsync ? UnsafeRawPointer(try found(symbol + "Tu").code) : nil
  return InterceptionPoint(
    code: code, size: size, asyncPointer: asyncPointer, stackBytes: stackBytes)
}

private func found(_ symbol: String) throws -> (code: UnsafeMutableRawPointer, size: Int) {
  var code: UnsafeMutableRawPointer?
  var size = 0
  try #require(probe_code(symbol, &code, &size))
  return (try #require(code), size)
}

private func bytes(_ point: InterceptionPoint) -> [UInt8] {
  Array(UnsafeRawBufferPointer(start: point.entry, count: 24))
}

/// An override that calls the original, and changes what it returns.
private func adding(_ amount: Int) -> Override {
  Override { own, frame in
    own.callNext(frame)
    if frame.pointee.thrownError == 0 { frame.pointee.firstResult += amount }
    return true
  }
}

/// Functions of a module that is optimised and has no implicit dynamic: by their code.
extension FixtureTests {
  @Suite struct CodeEntryTests {
    let interceptor = Interceptor()
    let session: SessionSwitch

    init() throws { session = try SessionSwitch() }

    private func end(_ layers: [InstalledOverride]) {
      session.deactivate()
      interceptor.remove(layers)
      #expect(interceptor.restore().isComplete)
    }

    @Test func `every call of a function is seen and its original is called`() throws {
      let point = try point("optimized_sum")
      let before = bytes(point)
      let layer = try adding(1000).install(at: point, session, interceptor)
      #expect(bytes(point) != before)
      expectEqual(OptimizedFunctions.sum(3, 4), 7)
      session.activate()
      let value: (Int, Int) -> Int = OptimizedFunctions.sum
      expectEqual(OptimizedFunctions.sum(3, 4), 1007)
      expectEqual(value(3, 4), 1007)
      expectEqual(Interceptor.withoutPatches { OptimizedFunctions.sum(3, 4) }, 7)
      end([layer])
      expectEqual(bytes(point), before)
      expectEqual(OptimizedFunctions.sum(3, 4), 7)
      #expect(point.needsImage)
    }

    @Test func `arguments of all kinds pass through, on the stack as well`() throws {
      let text = try point("optimized_text")
      let many = try point("optimized_many", stackBytes: 16)
      let expected = OptimizedFunctions.text(3, "words that are long enough", 1.5)
      let sum = OptimizedFunctions.many(1, 2, 3, 4, 5, 6, 7, 8)
      let layers = [
        try Override { own, frame in
          own.callNext(frame)
          return true
        }.install(at: text, session, interceptor),
        try adding(1000).install(at: many, session, interceptor),
        try Override { _, _ in false }.install(at: many, session, interceptor),
      ]
      session.activate()
      expectEqual(OptimizedFunctions.text(3, "words that are long enough", 1.5), expected)
      expectEqual(OptimizedFunctions.many(1, 2, 3, 4, 5, 6, 7, 8), sum + 1000)
      end(layers)
      expectEqual(OptimizedFunctions.many(1, 2, 3, 4, 5, 6, 7, 8), sum)
    }

    @Test func `a method that throws keeps its receiver and its error`() throws {
      let point = try point("optimized_take")
      let purse = Purse(balance: 100)
      let layer = try adding(1000).install(at: point, session, interceptor)
      session.activate()
      expectEqual(try purse.take(30), 1070)
      expectEqual(purse.balance, 70)
      #expect(throws: Overdrawn(amount: 71)) { try purse.take(71) }
      end([layer])
      expectEqual(try purse.take(30), 40)
    }

    @Test func `direct calls of an async function are seen, and those of its value`() async throws {
      let point = try point("optimized_fetch", isAsync: true)
      let (before, vault) = (bytes(point), Vault())
      let override = AsyncOverride.adding(1000)
      let layer = try override.install(at: point, session, interceptor)
      expectEqual(try await fetch(vault, 3, 4), 34)
      session.activate()
      for _ in 0..<100 {
        expectEqual(try await fetch(vault, 3, 4), 1034)
        expectEqual(try await fetching(vault, 3, 4), 1034)
      }
      expectEqual(override.calls.load(ordering: .relaxed), 200)
      await #expect(throws: Overdrawn(amount: -3)) { try await fetch(vault, -3, 4) }
      end([layer])
      expectEqual(bytes(point), before)
      expectEqual(try await fetch(vault, 3, 4), 34)
    }

    @Test func `overrides come and go while threads call and every result is the one or the other`()
      throws
    {
      let points = [try point("optimized_sum"), try point("optimized_take")]
      let before = points.map(bytes)
      let wrong = Atomic(0)
      let threads = Threads(3) {
        let purse = Purse(balance: 1_000_000_000)
        for _ in 0..<100 {
          let results = [OptimizedFunctions.sum(3, 4), (try? purse.take(0)) ?? -1]
          if results[0] % 1000 != 7 || results[1] % 1000 != 0 {
            wrong.add(1, ordering: .relaxed)
          }
        }
      }
      for round in 0..<400 {
        let session = try SessionSwitch()
        let layer = try adding(1000).install(at: points[round % 2], session, interceptor)
        session.activate()
        session.deactivate()
        interceptor.remove([layer])
        #expect(interceptor.restore().isComplete)
      }
      threads.stop()
      expectEqual(wrong.load(ordering: .relaxed), 0)
      expectEqual(points.map(bytes), before)
    }

    @Test func `overrides come and go while tasks call an async function`() async throws {
      let point = try point("optimized_fetch", isAsync: true)
      let (before, vault) = (bytes(point), Vault())
      let callers = Callers()
      let wrong = try await withThrowingTaskGroup(of: Int.self) { [interceptor] group in
        for _ in 0..<4 {
          group.addTask {
            try await callers.wrong([34, 1034]) { try await fetch(vault, 3, 4) }
          }
        }
        for round in 0..<400 {
          let session = try SessionSwitch()
          let layer = try AsyncOverride.adding(1000).install(at: point, session, interceptor)
          session.activate()
          if round % 10 == 0 { await Task.yield() }
          session.deactivate()
          interceptor.remove([layer])
          #expect(interceptor.restore().isComplete)
        }
        callers.stop()
        return try await group.reduce(0, +)
      }
      expectEqual(wrong, 0)
      expectEqual(bytes(point), before)
    }

    @Test func `each reason why code cannot be an entry is told with a remedy`() {
      let claims = WAX_RUNTIME_CLAIM_NO_CODE.rawValue...WAX_RUNTIME_CLAIM_CODE_THREADS.rawValue
      let errors = claims.map { InterceptionError(wax_runtime_claim(rawValue: $0)) }
      expectEqual(Set(errors.map(\.message)).count, errors.count)
      for error in errors {
        expectEqual(error.message.split(separator: ";").count, 2)
        #expect(error.code != .conflict)
      }
    }

    @Test func `what is no code is refused, and so is another size`() throws {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
      defer { memory.deallocate() }
      let elsewhere = InterceptionPoint(code: memory, size: 64, stackBytes: 0)
      let failure = #expect(throws: InterceptionError.self) {
        try adding(1).install(at: elsewhere, session, interceptor)
      }
      #expect(failure?.code == .foreignCode)
      #expect(throws: InterceptionError.self) { try elsewhere.check() }
      let point = try point("optimized_sum")
      try point.check()
      end([try adding(1).install(at: point, session, interceptor)])
      let other = InterceptionPoint(
        code: UnsafeRawPointer(point.entry), size: point.codeSize + 1, stackBytes: 0)
      let conflict = #expect(throws: InterceptionError.self) {
        try adding(1).install(at: other, session, interceptor)
      }
      #expect(conflict?.code == .conflict)
    }
  }
}
