// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Async functions that Lua code calls and waits for without Swift: what is unusual about them.
  @Suite struct AsyncCompiledTests {
    private let gate = AsyncGate()
    private let values = AsyncValues()

    private static let label = "a label of more than fifteen bytes"

    /// Begins the call, and goes on once it is in the gate.
    private func carrying(
      _ number: Int, _ label: String
    ) async -> Task<Int, any Error> {
      let before = gate.waiting
      let task = Task { [gate] in try await gate.carry(AsyncParcel(number), label).number }
      await expectEventually(gate.waiting, before + 1)
      return task
    }

    /// Objects that die when a thread has finished with them.
    private func checkNoParcels(sourceLocation: SourceLocation = #_sourceLocation) async {
      await expectEventually(AsyncParcel.census.alive, 0, sourceLocation: sourceLocation)
    }

    @Test func `results, errors and objects of originals that wait`() async throws {
      try await withAsyncPatch(
        """
        local G = class "Bank.AsyncGate"
        function G:carry(parcel, label) return self:ORIGcarry(parcel, label) end
        function G:stamp(text) return self:ORIGstamp(text) .. "!" end
        """
      ) {
        let carried = await carrying(1, Self.label)
        let refused = await carrying(2, "")
        let stamped = Task { [gate] in await gate.stamp(Self.label) }
        await expectEventually(gate.waiting, 3)
        gate.open()
        let number = try await carried.value
        expectEqual(number, 1 + Self.label.count)
        await #expect(throws: BankError.insufficient(2)) { try await refused.value }
        await expectEqual(stamped.value, Self.label + ", stamped!")
        expectEqual(faults(), [])
      }
      await checkNoParcels()
    }

    @Test func `what an original returned or threw stands when the script has ended`()
      async throws
    {
      WaxwingEngine.setLogHandler { _ in }
      let session = try WaxwingEngine.start(
        text: """
          local G = class "Bank.AsyncGate"
          function G:carry(parcel, label)
            local carried = self:ORIGcarry(parcel, label)
            error("never")
          end
          function G:stamp(text) return self:ORIGstamp(text) .. " in vain" end
          """, name: "ended")
      let carried = await carrying(10, Self.label)
      let refused = await carrying(20, "")
      let stamped = Task { [gate] in await gate.stamp(Self.label) }
      await expectEventually(gate.waiting, 3)
      let restoration = try await offPool {
        try WaxwingEngine.end(session, waitAtMost: .milliseconds(100))
      }
      expectEqual(
        restoration.abandonedCalls,
        [
          "Bank.AsyncGate.carry(_:_:)", "Bank.AsyncGate.carry(_:_:)", "Bank.AsyncGate.stamp(_:)",
        ])
      gate.open()
      let number = try await carried.value
      expectEqual(number, 10 + Self.label.count)
      await #expect(throws: BankError.insufficient(20)) { try await refused.value }
      await expectEqual(stamped.value, Self.label + ", stamped")
      expectEqual(gate.passed, 3)
      let last = try WaxwingEngine.restore()
      #expect(last.isComplete)
      await checkNoParcels()
    }

    @Test func `the original runs if the script ended in a wait for something else`()
      async throws
    {
      WaxwingEngine.setLogHandler { _ in }
      let session = try WaxwingEngine.start(
        text: """
          local V = class "Bank.AsyncValues"
          local gate
          function V:object(account) return account end
          function V:anything(other) gate = other return other end
          function V:parcel(parcel)
            gate:carry(parcel, "x")
            return nil
          end
          function V:string(text)
            gate:carry(class("Bank.AsyncParcel")(5), "")
            return "never"
          end
          """, name: "elsewhere")
      _ = await values.anything(gate)
      let parcel = Task { [values] in await values.parcel(AsyncParcel(3)).number }
      let text = Task { [values] in await values.string("as it came") }
      await expectEventually(gate.waiting, 2)
      _ = try await offPool { try WaxwingEngine.end(session, waitAtMost: .milliseconds(50)) }
      gate.open()
      await expectEqual(parcel.value, 3)
      await expectEqual(text.value, "as it came")
      let last = try WaxwingEngine.restore()
      #expect(last.isComplete)
      await checkNoParcels()
    }

    @Test func `overrides of several patches, one below the other`() async throws {
      WaxwingEngine.setLogHandler { _ in }
      func patch(_ body: String) -> String {
        "local G = class 'Bank.AsyncGate'\nfunction G:pass() \(body) end"
      }
      let oldest = try WaxwingEngine.start(
        text: patch("return self:ORIGpass() + 10"), name: "oldest")
      let middle = try WaxwingEngine.start(
        text: patch("sleep(0.002) return self:ORIGpass() + 100"), name: "middle")
      let newest = try WaxwingEngine.start(
        text: patch("return self:ORIGpass() + 1000"), name: "newest")
      let first = Task { [gate] in await gate.pass() }
      await expectEventually(gate.waiting, 1)
      // The one in between ends, and the newest one's call goes on.
      let restoration = try await offPool {
        try WaxwingEngine.end(middle, waitAtMost: .milliseconds(20))
      }
      expectEqual(restoration.abandonedCalls, ["Bank.AsyncGate.pass()"])
      let second = Task { [gate] in await gate.pass() }
      await expectEventually(gate.waiting, 2)
      gate.open()
      let sums = await [first.value, second.value].sorted()
      expectEqual(sums, [1011, 1012])
      for session in [newest, oldest] {
        let restoration = try await offPool { try WaxwingEngine.end(session) }
        #expect(restoration.isComplete)
      }
      await expectEqual(gate.pass(), 3)
    }

    @Test func `a cancelled task does not begin another call, but may call its original`()
      async throws
    {
      let waits = AsyncWaits()
      try await withAsyncPatch(
        """
        local W = class "Bank.AsyncWaits"
        function W:yields(n)
          while not cancelled() do pcall(sleep, 0.001) end
          local ok, err = pcall(self.ready, self, 1)
          self:note(tostring(ok) .. " " .. tostring(err))
          return self:ORIGyields(n) + 1
        end
        """
      ) {
        let task = Task { await waits.yields(2) }
        task.cancel()
        await expectEqual(task.value, 3)
        expectEqual(waits.notes.count, 1)
        #expect(waits.notes.first?.hasPrefix("false") == true)
        expectEqual(faults(), [])
      }
    }

    @Test func `a call that nobody can wait for is dropped with what it was given`()
      async throws
    {
      let waits = AsyncWaits()
      try await withAsyncPatch(
        """
        local V, W = class "Bank.AsyncValues", class "Bank.AsyncWaits"
        local values = V()
        local Parcel = class "Bank.AsyncParcel"
        local function try(body)
          local co = coroutine.create(body)
          local ok, message = coroutine.resume(co)
          assert(not ok and message:find("cannot wait here"), message)
        end
        for i = 1, 1000 do
          try(function() return values:parcel(Parcel(i)) end)
          try(function() return values:anything(Parcel(i)) end)
          try(function() sleep(1) end)
        end
        function W:ready(n)
          local sorted = pcall(table.sort, {2, 1}, function(a, b)
            try(function() return values:parcel(Parcel(a)) end)
            return values:int(a) < b
          end)
          self:note(tostring(sorted))
          return n
        end
        """
      ) {
        await expectEqual(waits.ready(3), 3)
        expectEqual(waits.notes, ["false"])
        expectEqual(faults(), [])
        _ = try await offPool { try WaxwingEngine.liveObjects(collecting: true) }
        #expect(AsyncParcel.census.alive <= 1)
      }
      await checkNoParcels()
    }

    @Test func `tasks of the script wait for the same calls`() async throws {
      WaxwingEngine.setLogHandler { _ in }
      let session = try WaxwingEngine.start(
        text: """
          local V = class "Bank.AsyncValues"
          function V:anything(gate)
            task(function() gate:carry(class("Bank.AsyncParcel")(7), "left behind") end)
            return gate
          end
          function V:string(text)
            local parts = {}
            local function part(i)
              return function() parts[i] = class("Bank.AsyncValues")():int(i) end
            end
            all{ part(1), part(2), part(3) }
            return text .. table.concat(parts, ",")
          end
          """, name: "tasks")
      _ = await values.anything(gate)
      await expectEqual(values.string("parts "), "parts 1,2,3")
      await expectEventually(gate.waiting, 1)
      let restoration = try await offPool {
        try WaxwingEngine.end(session, waitAtMost: .milliseconds(20))
      }
      expectEqual(restoration.cancelledTasks, 1)
      gate.open()
      let last = try WaxwingEngine.restore()
      #expect(last.isComplete)
      await checkNoParcels()
    }

    @Test func `a parallel patch waits in each of its states`() async throws {
      try await withAsyncPatch(
        """
        patch { name = "test", parallel = true }
        local G, V = class "Bank.AsyncGate", class "Bank.AsyncValues"
        function G:pass() return self:ORIGpass() * 2 end
        function V:string(text) return self:ORIGstring(text) .. "+" end
        """
      ) {
        let count = 500
        let sum = await withTaskGroup(of: Int.self) { group in
          for number in 0..<count {
            group.addTask { [gate, values] in
              let text = await values.string("n\(number)")
              if text != "n\(number)+" { Issue.record("\(text)") }
              return await gate.pass()
            }
          }
          await expectEventually(gate.waiting, count)
          gate.open()
          return await group.reduce(0, +)
        }
        expectEqual(sum, count * (count + 1))
        expectEqual(faults(), [])
      }
    }
  }
}
