// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Testing
import Waxwing

extension EngineSuite {
  /// Patches that end, or are replaced, while calls are in code of their classes.
  @Suite struct LuaClassTakeoverTests {
    /// A call on a thread of its own, which waits at the gate until `result` is asked for.
    private final class CallUnderWay<Result>: @unchecked Sendable {
      private let hasReturned = DispatchSemaphore(value: 0)
      private var returned: Result?

      init(_ call: @escaping () -> Result) {
        Gate.shared.close()
        nonisolated(unsafe) let call = call
        Thread.detachNewThread { [self] in
          returned = call()
          hasReturned.signal()
        }
        waitUntil("a call at the gate", seen: Gate.shared.waiting) { Gate.shared.waiting > 0 }
      }

      func result() throws -> Result {
        Gate.shared.open()
        hasReturned.waitInTime()
        return try #require(returned)
      }
    }

    private func start(_ text: String) throws -> Session {
      try WaxwingEngine.apply(texts: [(text, "late")], waitAtMost: .milliseconds(20))[0]
    }

    private func listed() throws -> [PatchInfo] { try WaxwingEngine.list() }

    /// `SketchBook.run` waits at the gate and adds an object then; `area` answers `result`.
    private func maker(_ area: String, version: Int = 1) -> String {
      """
      patch { version = \(version) }
      local Late = class("Late", "Bank.Sketch", { "Bank.SketchReader" })
      local Later = class("Later", Late)
      function Late:area() return \(area) end
      function Late:read(page) return "late " .. page end
      local Book = class "Bank.SketchBook"
      function Book:run(n)
        class("Bank.Gate").shared:pass()
        self:add((n > 1 and Later or Late){name = "made"})
        return n
      end
      """
    }

    @Test(arguments: [1, 2])
    func `an object that a call makes while its patch ends goes on with the patch's code`(
      _ count: Int
    ) throws {
      let session = try start(maker("7 + self.super:area()"))
      let book = SketchBook()
      let call = CallUnderWay { book.run(count) }
      try expectEqual(WaxwingEngine.end(session, waitAtMost: .milliseconds(20)).laggards.count, 1)
      try expectEqual(listed().map(\.state), [.draining])
      try expectEqual(call.result(), count)
      expectEqual(book.figures[0].area(), 8.5)
      expectEqual(readSketch(book.figures[0], 3), "late 3")
      try expectEqual(listed().map(\.state), [.lingering])
      book.figures = []
      _ = try WaxwingEngine.liveObjects()
      #expect(try listed().isEmpty)
    }

    @Test
    func `with a newer version of some of its classes too`() throws {
      _ = try start(maker("7 + self.super:area()"))
      let book = SketchBook()
      let call = CallUnderWay { book.run(2) }
      _ = try start(
        """
        patch { version = 2 }
        local Late = class("Late", "Bank.Sketch")
        function Late:area() return 2000 end
        """)
      try expectEqual(call.result(), 2)
      expectEqual(book.figures[0].area(), 8.5)
      expectEqual(Set(try listed().map(\.state)), [.active, .lingering])
      book.figures = []
      _ = try WaxwingEngine.liveObjects()
      try expectEqual(listed().map(\.state), [.active])
      #expect(try WaxwingEngine.restore().isComplete)
    }

    @Test
    func `an object that a call of an older version makes when the newer one has ended`() throws {
      _ = try start(maker("1"))
      let book = SketchBook()
      let call = CallUnderWay { book.run(1) }
      let second = try start(maker("2", version: 2))
      try WaxwingEngine.end(second, waitAtMost: .milliseconds(20))
      try expectEqual(call.result(), 1)
      expectEqual(book.figures[0].area(), 2)
      expectEqual(readSketch(book.figures[0], 3), "late 3")
      book.figures = []
      _ = try WaxwingEngine.liveObjects()
      #expect(try listed().isEmpty)
    }

    @Test(arguments: ["end", "stay"])
    func `super of an older version's code is the superclass, whatever the newer one has`(
      _ what: String
    ) throws {
      let text = """
        local Late = class("Late", "Bank.Sketch")
        function Late:area()
          class("Bank.Gate").shared:pass()
          return 10 + self.super:area()
        end
        function Late:fetch(n)
          class("Bank.Gate").shared:pass()
          return "old " .. self.super:fetch(n)
        end
        local Book = class "Bank.SketchBook"
        function Book:run(n) self:add(Late{name = "made"}) return n end
        """
      let first = try start(text)
      let book = SketchBook()
      _ = book.run(1)
      if what == "end" { try WaxwingEngine.end(first) }
      let late = book.figures[0]
      let call = CallUnderWay { late.area() }
      let second = try start(
        """
        patch { version = 2 }
        local Late = class("Late", "Bank.Sketch")
        function Late:area() return 2000 + self.super:area() end
        """)
      try expectEqual(call.result(), 11.5)
      expectEqual(late.area(), 2001.5)
      try WaxwingEngine.end(second, now: true)
      expectEqual(late.area(), 1.5)
    }

    private static let asyncPatch = """
      local Late = class("Late", "Bank.Sketch")
      function Late:fetch(n)
        while n == 1 and self.scale == 1 do sleep(0.001) end
        return "old " .. self.super:fetch(n)
      end
      local Book = class "Bank.SketchBook"
      function Book:run(n) self:add(Late{name = "made"}) return n end
      """

    private func fetch(_ book: SketchBook, _ number: Int) async -> String {
      await book.figures[0].fetch(number)
    }

    @Test
    func `super of an async method that goes on meets what other patches have`() async throws {
      let first = try start(Self.asyncPatch)
      let book = SketchBook()
      _ = book.run(1)
      try WaxwingEngine.end(first)
      await expectEqual(fetch(book, 2), "old made 2")
      func calls() throws -> Int? { try listed().first?.overrides.reduce(0) { $0 + $1.calls } }
      let before = try calls()
      nonisolated(unsafe) let shared = book
      let waiting = Task { await fetch(shared, 1) }
      try await waitUntil("another call", seen: try calls() ?? 0) { try calls() != before }
      let other = try WaxwingEngine.start(
        text: """
          local S = class "Bank.Sketch"
          function S:fetch(n) return "other " .. original(self, n) end
          """, name: "other")
      book.figures[0].scale = 2
      await expectEqual(waiting.value, "old other made 1")
      try WaxwingEngine.end(other)
      book.figures = []
      _ = try WaxwingEngine.liveObjects()
      #expect(try listed().isEmpty)
    }
  }
}
