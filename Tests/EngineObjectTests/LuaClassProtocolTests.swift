// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Classes that patches make, with protocols.
  @Suite struct LuaClassProtocolTests {
    private let holder = WatcherHolder()
    private let book = SketchBook()

    private static let watcher = """
      local Watcher = class("Watcher", "Bank.Sketch", { "Bank.ExhibitWatcher" })
      function Watcher:watched(amount) self.last = amount return amount * 3 end
      function Watcher:maker() return self.name .. (self.last or "") end
      function Watcher.get:seen() return self.count or 0 end
      function Watcher.set:seen(n) self.count = n end
      local Book = class "Bank.SketchBook"
      function Book:run(n) self:add(Watcher{name = "w"}) return n end

      """

    @Test func `a subclass is a delegate`() throws {
      try withPatch(Self.watcher) {
        _ = book.run(1)
        let sketch = book.figures[0]
        #expect(holder.adopt(sketch))
        expectEqual(holder.fire(4), 12)
        expectEqual(holder.maker(), "w4")
        expectEqual(holder.see(2), 2)
        expectEqual(holder.see(3), 5)
        expectEqual(holder.idle(), "idle by default")
        #expect(!WatcherHolder().adopt(Sketch(name: "s")))
        expectEqual(faults(), [])
      }
    }

    @Test func `its objects stay delegates after the end, as long as they live`() throws {
      let session = try WaxwingEngine.start(text: Self.watcher, name: "watch")
      _ = book.run(1)
      #expect(holder.adopt(book.figures[0]))
      expectEqual(holder.fire(4), 12)
      try expectEqual(WaxwingEngine.end(session).livingObjects, ["watch.Watcher": 1])
      expectEqual(holder.fire(5), 15)
      expectEqual(holder.maker(), "w5")
      #expect(WatcherHolder().adopt(book.figures[0]))
      #expect(try WaxwingEngine.restore(now: true).isComplete)
      expectEqual(holder.fire(5), 0)
      #expect(holder.maker() == nil)
      #expect(!WatcherHolder().adopt(book.figures[0]))
      #expect(try WaxwingEngine.list().isEmpty)
    }

    @Test func `a class below overrides what the protocol requires`() throws {
      try withPatch(
        Self.watcher + """
          local Below = class("Below", Watcher)
          function Below:watched(amount) return self.super:watched(amount) + 1 end
          function Below.get:seen() return self.super.seen + 100 end
          Book:instead("run", function(self, n)
            self:add(Below{name = "b"})
            return n
          end)
          """
      ) {
        _ = book.run(1)
        #expect(holder.adopt(book.figures[0]))
        expectEqual(holder.fire(4), 13)
        expectEqual(holder.see(2), 202)
        expectEqual(faults(), [])
      }
    }

    @Test func `classes without a superclass are errors, sequences, and can be compared`() throws {
      try withPatch(
        """
        local Failure = class("Failure", nil, { "Error", "CustomStringConvertible" })
        function Failure.get:description() return "failed: " .. self.reason end
        local Point = class("Point", nil, { "Hashable", "Comparable", "CustomStringConvertible" })
        function Point:init(x) self.super:init() self.x = x end
        Point.static["=="] = function(class, a, b) return a.x == b.x end
        Point.static["<"] = function(class, a, b) return a.x < b.x end
        Point["hash(into:)"] = function(self, hasher) hasher:combine(self.x) return hasher end
        function Point.get:description() return "(" .. self.x .. ")" end
        local Book = class "Bank.SketchBook"
        function Book:hand(n)
          if n == 0 then
            local failure = Failure()
            failure.reason = "court order"
            return failure
          end
          return Point(n)
        end
        """
      ) {
        let failure = try #require(book.hand(0))
        expectEqual(described(failure), "failed: court order")
        let error = #expect(throws: (any Error).self) { try throwIfError(failure) }
        expectEqual(error.map { "\($0)" }, "failed: court order")
        let (one, same, two) = (book.hand(1), book.hand(1), book.hand(2))
        #expect(areEqual(one as Any, same as Any) == true)
        #expect(areEqual(one as Any, two as Any) == false)
        #expect(isBefore(one as Any, two as Any) == true)
        expectEqual(counted([one as Any, same as Any, two as Any]), 2)
        try expectEqual(described(#require(two)), "(2)")
        expectEqual(faults(), [])
      }
    }

    @Test func `what a protocol requires and the class does not have is named`() {
      let message = refusal(
        """
        local W = class("W", "Bank.Sketch", { "Bank.ExhibitWatcher" })
        function W:watched(n) return n end
        """)
      #expect(message.contains("refused.lua:1: "))
      #expect(message.contains("Bank.ExhibitWatcher requires"))
      #expect(message.contains("test.W") || message.contains("refused.W"))
      #expect(
        refusal("class('W', 'Bank.Sketch', { 'Bank.ExhibitWatchr' })").contains("did you mean"))
    }
  }
}
