// SPDX-License-Identifier: MIT

import Bank
import Dispatch
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import Waxwing

extension Station {
  fileprivate static var count: Int { alive.load(ordering: .relaxed) }
}

extension EngineSuite {
  /// Objects that hold Lua values which hold the objects.
  @Suite struct LifetimeCycleTests {
    private let station = """
      local S = class "Bank.Station"
      S:field("other")
      S:field("list", function() return {} end)

      """

    /// Each of many objects is made part of a cycle by `wire`; soon they are gone.
    private func wire(
      _ text: String, count: Int = 20_000, atMost most: Int = 4000,
      use: (Station) -> Void = { _ in }
    ) throws {
      let before = Station.count
      try withPatch(station + text) {
        for number in 0..<count {
          let station = Station(number: number)
          let answer = station.wire()
          guard answer == number else {
            Issue.record("\(answer) instead of \(number)")
            break
          }
          use(station)
        }
        #expect(Station.count - before <= most)
        expectEqual(held()?.objects, [:])
        expectEventually(Station.count, before)
        expectEqual(faults(), [])
      }
      expectEventually(Station.count, before)
    }

    @Test func `a closure that holds its object`() throws {
      try wire(
        """
        function S:wire()
          local me = self
          self.onTrain = function() return me.number end
          return self:train()
        end
        """
      ) { station in expectEqual(station.train(), station.number) }
    }

    @Test func `a closure in an optional`() throws {
      try wire(
        """
        function S:wire()
          self.onSignal = function() return self.number end
          return self:signal()
        end
        """, count: 5000)
    }

    @Test func `closures in arrays and dictionaries`() throws {
      try wire(
        """
        function S:wire()
          self.onTrains = { function() return self.number end, function() return self.number end }
          self.onNamed = { a = function(n) return self.number + n end }
          return self:trains()[2]
        end
        """, count: 5000)
    }

    @Test func `a field that holds its own object, a table of it, and a function`() throws {
      try wire("function S:wire() self.other = self return self.number end")
      try wire("function S:wire() self.list[1] = { self } return self.number end", count: 5000)
      try wire(
        """
        function S:wire()
          self.other = function() return self end
          return self.other().number
        end
        """, count: 5000)
    }

    @Test func `a delegate whose field holds the object that it serves`() throws {
      for property in ["delegate", "next", "part"] {
        try wire(
          """
          function S:wire()
            local delegate = S(7)
            delegate.other = self
            self.\(property) = delegate
            return self.number
          end
          """, count: 5000)
      }
    }

    @Test func `observers in collections`() throws {
      try wire(
        """
        function S:wire()
          for i = 1, 3 do
            local observer = S(i)
            observer.other = self
            self:add(observer)
          end
          return self.number
        end
        """, count: 3000, atMost: 8000)
      try wire(
        """
        function S:wire()
          local observer = S(1)
          observer.onTrain = function() return self.number end
          self.byName = { a = observer }
          return self.number
        end
        """, count: 3000, atMost: 8000)
    }

    @Test func `enums and structs on the way`() throws {
      try wire(
        """
        function S:wire()
          local other = S(1)
          other.other = self
          self.timetable = { count = 1, next = other, last = other }
          return self.number
        end
        """, count: 2000)
      try wire(
        """
        function S:wire()
          local other, third = S(1), S(2)
          other.other, third.other = self, self
          self.track = S.Track.reserved(other)
          other.track = S.Track.blocked(7, function() return third.number end)
          return self.number
        end
        """, count: 2000, atMost: 8000)
    }

    @Test func `closures that Swift calls in another way, and closures of its own`() throws {
      try wire(
        """
        function S:wire()
          self:add(function() return self.number end)
          return self:trains()[1]
        end
        """, count: 2000)
      try wire(
        """
        function S:wire()
          local other = S(1)
          other.other = self
          self:follow(other)
          return self.number
        end
        """, count: 2000)
    }

    @Test func `objects of a class made in Lua`() throws {
      try wire(
        """
        local Guard = class("Guard", S)
        function Guard:init(station)
          self.station = station
          self.super:init(7)
        end
        function Guard:ask() return self.super:ask() + self.station.number + 1 end
        function S:wire()
          local guard = Guard(self)
          self.delegate = guard
          guard.onTrain = function() return guard:ask() end
          return guard:train()
        end
        """, count: 3000, atMost: 8000)
    }

    @Test func `two objects that hold each other by two functions`() throws {
      try wire(
        """
        function S:wire()
          local other = S(1)
          self.onTrain = function() return other.number end
          other.onTrain = function() return self.number end
          return other:train()
        end
        """, count: 5000)
    }

    @Test func `what Swift holds stays, and so does what hangs on it`() throws {
      let before = Station.count
      try withPatch(
        station + """

          function S:wire()
            local me, text = self, "t" .. self.number
            self.other = self
            self.onTrain = function() return me.number + #text end
            return 0
          end
          function S:ask() return self.other.number end
          """
      ) {
        var stations: [Station] = []
        for number in 0..<2000 {
          let station = Station(number: number)
          _ = station.wire()
          if number % 10 == 0 { stations.append(station) }
        }
        for _ in 0..<3 {
          expectEqual(held()?.objects, ["Bank.Station": 200])
          for station in stations {
            expectEqual(station.train(), station.number + "t\(station.number)".count)
            expectEqual(station.ask(), station.number)
          }
        }
        stations = []
        expectEqual(held()?.objects, [:])
        expectEventually(Station.count, before)
        expectEqual(faults(), [])
      }
    }

    @Test func `Swift holds a closure alone`() throws {
      let before = Station.count
      try withPatch(
        station + """

          function S:wire() self.onTrain = function() return self.number end return 0 end
          """
      ) {
        var closures: [() -> Int] = []
        for number in 0..<500 {
          let station = Station(number: number)
          _ = station.wire()
          closures.append(station.onTrain)
        }
        expectEqual(held()?.objects, ["Bank.Station": 500])
        expectEqual(closures.map { $0() }, Array(0..<500))
        closures = []
        expectEqual(held()?.objects, [:])
        expectEventually(Station.count, before)
      }
    }

    @Test func `what only Lua holds stays as long as Lua reaches it`() throws {
      let before = Station.count
      try withPatch(
        station + """

          local kept = {}
          function S:wire()
            kept[#kept + 1] = self
            self.onTrain = function() return self.number end
            self.other = { self }
            return 0
          end
          function S:ask()
            local sum = 0
            for _, station in ipairs(kept) do
              sum = sum + station:train() + station.other[1].number
            end
            return sum
          end
          function S:step(n) kept = {} return n end
          """
      ) {
        for number in 0..<1000 { _ = Station(number: number).wire() }
        let asking = Station(number: 0)
        for _ in 0..<3 {
          expectEqual(held()?.objects, ["Bank.Station": 1000])
          expectEqual(asking.ask(), 999 * 1000)
        }
        _ = asking.step(1)
        expectEqual(held()?.objects, [:])
        expectEventually(Station.count, before + 1)
        expectEqual(faults(), [])
      }
    }

    @Test func `an object with weak references stays as long as there are any`() throws {
      final class Weak { weak var station: Station? }
      let before = Station.count
      try withPatch(
        station + """

          function S:wire() self.onTrain = function() return self.number end return 0 end
          """
      ) {
        var references: [Weak] = []
        for number in 0..<100 {
          let station = Station(number: number)
          _ = station.wire()
          let weak = Weak()
          weak.station = station
          references.append(weak)
        }
        expectEqual(held()?.objects, ["Bank.Station": 100])
        expectEqual(references.compactMap { $0.station?.train() }, Array(0..<100))
        references = []
        expectEqual(held()?.objects, [:])
        expectEventually(Station.count, before)
      }
    }

    @Test func `weak references of Lua code's do not keep a cycle`() throws {
      try wire(
        """
        local references = {}
        function S:wire()
          references[#references + 1] = weak(self)
          self.onTrain = function() return self.number end
          local first = references[1].object
          if first and first:train() ~= first.number then return -1 end
          return self.number
        end
        """, count: 5000)
    }

    @Test func `a deinitializer sees the fields, and calls overrides and closures`() throws {
      Terminus.goodbyes.withLock { $0 = [] }
      let before = Station.count
      try withPatch(
        """
        local S = class "Bank.Station"
        local T = class "Bank.Terminus"
        S:field("me")
        S:field("text", "none")
        S:field("cocoon")
        S:field("friend")
        function S:wire()
          local number = self.number
          self.me = self
          self.friend = class "Bank.Mayfly".hatch("f" .. number)
          self.cocoon = class "Bank.Cocoon"(number, self.friend)
          self.text = "text " .. number
          self.onTrain = function() return self and number end
          return 0
        end
        function T:goodbye()
          return self.text .. " " .. self.cocoon.size .. " " .. self.friend.name
        end
        """
      ) {
        for number in 0..<100 { _ = Terminus(number: number).wire() }
        expectEqual(held()?.objects, [:])
        expectEventually(Station.count, before)
        expectEqual(faults(), [])
      }
      #expect(
        Terminus.goodbyes.withLock { $0.sorted() }
          == (0..<100).map { "text \($0) \($0) f\($0) \($0)" }.sorted())
    }

    @Test func `what a call that has not returned uses stays`() throws {
      let before = Station.count
      try withPatch(
        station + """

          function S:wire()
            local other = S(self.number)
            other.onTrain = function() return other.number end
            other.next = S(1)
            other.next.other = other
            self.next = other
            return 0
          end
          -- Nothing but this call's arguments keeps `other`.
          function S:hold(body)
            local other = self.next
            self.next = nil
            return (function(...) other = nil return (...):ORIGhold(body) end)(other)
          end
          """
      ) {
        for number in 0..<20 {
          let station = Station(number: number)
          _ = station.wire()
          let answer = station.hold {
            for other in 0..<50 {
              let station = Station(number: other)
              _ = station.wire()
            }
            #expect((held()?.objects["Bank.Station"] ?? 0) > 0)
          }
          expectEqual(answer, number)
        }
        expectEqual(held()?.objects, [:])
        expectEventually(Station.count, before)
        expectEqual(faults(), [])
      }
    }

    @Test func `threads take and drop references meanwhile`() throws {
      let before = Station.count
      try withPatch(
        station + """

          function S:wire()
            local me, number = self, self.number
            local other = S(number)
            self.onTrain = function() return me.number - number end
            self.onSignal = function() return other.number - number end
            other.other, self.other = self, other
            self.next = other
            return number
          end
          function S:ask() return self.other.number - self.other.other.number end
          function S:step(n) return self.other.onTrain == nil and -1 or n end
          """
      ) {
        let wrong = Counter()
        let slots = (0..<64).map { _ in Slot() }
        let rounds = 20_000
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
          for number in 0..<rounds {
            let slot = slots[(number &* 7 &+ thread) % slots.count]
            if thread < 2 {
              let station = Station(number: number)
              if station.wire() != number { wrong.add() }
              if number % 3 == 0 { slot.set(station) }
            } else if let station = slot.weak() {
              if station.train() != 0 || station.signal() != 0 || station.ask() != 0 {
                wrong.add()
              }
              let closure = station.onTrain
              if number % 11 == 0 { slot.set(nil) }
              if number % 13 == 0 { station.next = Station(number: 0) }
              if closure() != 0 { wrong.add() }
            }
          }
        }
        expectEqual(wrong.count, 0)
        expectEqual(faults(), [])
        #expect((held()?.objects["Bank.Station"] ?? 0) <= 128)
        slots.forEach { $0.set(nil) }
        expectEqual(held()?.objects, [:])
        expectEventually(Station.count, before)
      }
    }
  }
}

private final class Counter: Sendable {
  private let value = Atomic(0)
  var count: Int { value.load(ordering: .relaxed) }
  func add() { value.add(1, ordering: .relaxed) }
}

/// Holds an object, strongly now and then, weakly always.
private final class Slot: Sendable {
  private struct Held {
    var strong: Station?
    weak var weak: Station?
  }

  private let held = Mutex(Held())

  func set(_ station: Station?) {
    let old = held.withLock { held in
      let old = held.strong
      held.strong = station
      held.weak = station
      return old
    }
    withExtendedLifetime(old) {}
  }

  func weak() -> Station? { held.withLock { $0.weak } }
}
