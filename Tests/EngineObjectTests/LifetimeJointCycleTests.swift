// SPDX-License-Identifier: MIT

import Bank
import Dispatch
import EngineTestSupport
import Expectations
import Glibc
import Synchronization
import Testing
import Waxwing

extension Station {
  fileprivate static var count: Int { alive.load(ordering: .relaxed) }
}

/// What both patches declare.
private let station = """
  local S = class "Bank.Station"
  S:field("other")
  S:field("list", function() return {} end)

  """

extension EngineSuite {
  /// Cycles through the Lua states of several patches.
  @Suite struct LifetimeJointCycleTests {
    /// One patch wires the station on `wire`, the other one on `step`; `joins` is in both.
    private func wire(
      _ first: String, _ second: String, count: Int = 500, use: (Station) -> Void
    ) throws {
      let before = Station.count
      try withPatches(first, second) {
        for number in 0..<count {
          let station = Station(number: number)
          use(station)
        }
        expectEqual(live(), [[:], [:]])
        expectEventually(Station.count, before)
        expectEqual(faults(), [])
      }
      expectEventually(Station.count, before)
    }

    private func withPatches(_ first: String, _ second: String, _ body: () throws -> Void) throws {
      try withPatch(station + first) {
        let other = try WaxwingEngine.start(text: station + second, name: "second")
        do {
          try body()
        } catch {
          Issue.record(error)
        }
        #expect(try WaxwingEngine.end(other).isComplete)
      }
    }

    private func live() -> [[String: Int]] {
      do {
        return try WaxwingEngine.liveObjects().map(\.objects)
      } catch {
        Issue.record(error)
        return []
      }
    }

    @Test func `two patches give closures to one object`() throws {
      try wire(
        "function S:wire() self.onTrain = function() return self.number end return self.number end",
        """
        function S:step(n)
          self.onSignal = function() return self.number + n end
          return n
        end
        """
      ) { station in
        expectEqual(station.wire(), station.number)
        expectEqual(station.step(1), 1)
        #expect(station.train() == station.number && station.signal() == station.number + 1)
      }
    }

    @Test func `two objects hold each other through two patches`() throws {
      try wire(
        """
        function S:join(other)
          self.onTrain = function() return other.number end
          return other:ask()
        end
        """,
        """
        local last
        function S:step(n) last = self return n end
        function S:ask()
          local other = last
          last = nil
          self.onTrain = function() return other.number end
          return 7
        end
        """
      ) { station in
        let other = Station(number: 1)
        expectEqual(station.step(3), 3)
        expectEqual(station.join(other), 7)
        #expect(other.train() == station.number && station.train() == 1)
      }
    }

    @Test func `fields of two patches lead around`() throws {
      try wire(
        "function S:join(other) self.other = { other } return self.number end",
        """
        local last
        function S:step(n) last = self return n end
        function S:ask() self.other, last = { by = last }, nil return 1 end
        """
      ) { station in
        let other = Station(number: 1)
        _ = station.step(1)
        expectEqual(station.join(other), station.number)
        expectEqual(other.ask(), 1)
      }
    }

    @Test func `what one of the patches can reach stays, and all that it leads to`() throws {
      let before = Station.count
      try withPatches(
        """
        function S:join(other)
          local text = { "t" .. self.number }
          self.onTrain = function() return other.number + #text[1] end
          self.list[1] = text
          return other:ask()
        end
        function S:wire() return #self.list[1][1] end
        """,
        """
        local last, kept = nil, {}
        function S:step(n)
          if n < 0 then kept = {} return n end
          last = self
          if n % 2 == 0 then kept[#kept + 1] = self end
          return n
        end
        function S:ask()
          local other = last
          last = nil
          self.onTrain = function() return other:train() end
          return 7
        end
        function S:signal()
          local sum = 0
          for _, station in ipairs(kept) do sum = sum + station:train() + station:wire() end
          return sum
        end
        """
      ) {
        for number in 0..<200 {
          let (station, other) = (Station(number: number), Station(number: 1000))
          expectEqual(station.step(number), number)
          expectEqual(station.join(other), 7)
        }
        let asking = Station(number: 0)
        // Of each of the half that is kept its text, twice, and the number of the other one.
        let sum = (0..<200).filter { $0 % 2 == 0 }.reduce(0) { $0 + 1000 + 2 * "t\($1)".count }
        for _ in 0..<3 {
          #expect(live().allSatisfy { $0["Bank.Station", default: 0] <= 201 })
          expectEventually(Station.count, before + 201)
          expectEqual(asking.signal(), sum)
        }
        _ = asking.step(-1)
        _ = live()
        expectEventually(Station.count, before + 1)
        expectEqual(faults(), [])
      }
      expectEventually(Station.count, before)
    }

    @Test func `what Swift holds stays`() throws {
      let before = Station.count
      try withPatches(
        "function S:wire() self.onTrain = function() return self.number end return 1 end",
        "function S:step(n) self.onSignal = function() return self.number + n end return n end"
      ) {
        var stations = (0..<100).map { Station(number: $0) }
        for station in stations { _ = (station.wire(), station.step(2)) }
        for _ in 0..<3 {
          _ = live()
          for station in stations {
            #expect(station.train() == station.number && station.signal() == station.number + 2)
          }
        }
        stations = []
        expectEqual(live(), [[:], [:]])
        expectEventually(Station.count, before)
      }
    }

    @Test func `the idle thread collects them`() throws {
      let before = Station.count
      try withPatches(
        "function S:wire() self.onTrain = function() return self.number end return 1 end",
        "function S:step(n) self.onSignal = function() return self.number + n end return n end"
      ) {
        for number in 0..<200 {
          let station = Station(number: number)
          _ = (station.wire(), station.step(2))
        }
        expectEventually(Station.count, before, atMost: .seconds(90))
      }
    }

    @Test func `while threads take and drop references, and call`() throws {
      let before = Station.count
      try withPatches(
        """
        function S:wire() self.onTrain = function() return self.number end return 1 end
        function S:join(other) self.other = other return other:step(3) end
        """,
        """
        function S:step(n)
          self.onSignal = function() return self.number + n end
          self.list[1] = self
          return n
        end
        """
      ) {
        let isDone = Atomic(false)
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
          if thread == 0 {
            for _ in 0..<60 { _ = try? WaxwingEngine.liveObjects() }
            isDone.store(true, ordering: .relaxed)
            return
          }
          var kept: [Station] = []
          var number = 0
          while !isDone.load(ordering: .relaxed) {
            number += 1
            let station = Station(number: number)
            if station.wire() != 1 || station.step(2) != 2 { wrong.add(1, ordering: .relaxed) }
            if let other = kept.last, station.join(other) != 3 { wrong.add(1, ordering: .relaxed) }
            kept.append(station)
            if kept.count > 20 { kept.removeFirst(10) }
            for station in kept where station.train() != station.number {
              wrong.add(1, ordering: .relaxed)
            }
          }
        }
        expectEqual(wrong.load(ordering: .relaxed), 0)
        expectEqual(faults(), [])
        _ = live()
        expectEqual(live(), [[:], [:]])
        expectEventually(Station.count, before)
      }
      expectEventually(Station.count, before)
    }
  }
}
