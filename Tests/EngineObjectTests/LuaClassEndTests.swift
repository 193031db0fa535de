// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Glibc
import HeapProbe
import Synchronization
import Testing
import Waxwing
import WaxwingBridge

extension EngineSuite {
  /// What becomes of objects of classes that patches have made when the patch ends.
  @Suite struct LuaClassEndTests {
    private static let patch = """
      local Late = class("Late", "Bank.Sketch")
      local Later = class("Later", Late)
      local calls = 0
      function Late:area()
        calls = calls + 1
        return calls + self.super:area()
      end
      function Later:area() return 100 + self.super:area() end
      function Late.get:title() return self.extra end
      function Late:init(name) self.super:init{name = name} self.extra = "extra" end
      function Late:deinit() self.name = "lua " .. self.name end
      local Book = class "Bank.SketchBook"
      function Book:run(n)
        self:add((n > 1 and Later or Late)("late"))
        return calls
      end
      """

    private func start(version: Int = 1, _ text: String = Self.patch) throws -> Session {
      try WaxwingEngine.start(text: "patch { version = \(version) }\n" + text, name: "late")
    }

    @Test func `objects that the patch alone holds end with it`() throws {
      let session = try start(
        Self.patch + "\nkept = { Late('one'), Later('two') } kept[1].friend = kept[2]")
      _ = SketchBook().run(1)
      let restoration = try WaxwingEngine.end(session)
      expectEqual(restoration.livingObjects, [:])
      #expect(try listed() == nil)
    }

    private func listed() throws -> PatchInfo? { try WaxwingEngine.list().first }

    @Test func `living objects go on with the patch's code until the last is gone`() throws {
      Sketch.ends.withLock { $0 = [] }
      let session = try start()
      let book = SketchBook()
      _ = book.run(1)
      _ = book.run(2)
      expectEqual(book.figures[0].area(), 2.5)
      expectEqual(book.figures[1].area(), 103.5)
      let restoration = try WaxwingEngine.end(session)
      #expect(restoration.isComplete)
      expectEqual(restoration.differences, [])
      expectEqual(restoration.livingObjects, ["late.Late": 1, "late.Later": 1])
      expectEqual(book.run(7), 7)
      expectEqual(book.figures[0].area(), 4.5)
      expectEqual(book.figures[1].area(), 105.5)
      expectEqual(book.figures[0].title, "extra")
      expectEqual(Sketch(name: "s").area(), 1.5)
      let listed = try #require(try listed())
      expectEqual(listed.state, .lingering)
      expectEqual(listed.livingObjects, ["late.Late": 1, "late.Later": 1])
      book.figures.removeFirst()
      _ = try WaxwingEngine.liveObjects()
      expectEqual(Sketch.ends.withLock { $0 }, ["end of s", "end of lua late"])
      try expectEqual(self.listed()?.livingObjects, ["late.Later": 1])
      book.figures.removeFirst()
      _ = try WaxwingEngine.liveObjects()
      expectEqual(Sketch.ends.withLock { $0 }.last, "end of lua late")
      #expect(try self.listed() == nil)
    }

    /// How many classes are looked at to apply and to end a patch that makes so many.
    /// - Parameter next: What the superclass of the next class is: `made`, or none.
    private func visits(making count: Int, _ name: String, next: String = "Sketch") throws -> Int {
      let text = """
        local Sketch = class "Bank.Sketch"
        local above = Sketch
        for i = 1, \(count) do
          local made = class("Counted" .. i, above)
          function made:area() return i end
          above = \(next)
        end
        """
      let before = LuaClasses.visits
      let session = try WaxwingEngine.start(text: text, name: name)
      try expectEqual(
        listed()?.overrides.filter { $0.selector == "area()" }.map(\.order).sorted(),
        Array(1...count))
      let restoration = try WaxwingEngine.end(session)
      #expect(restoration.isComplete)
      #expect(try listed() == nil)
      return LuaClasses.visits - before
    }

    @Test func `what many classes cost grows with their number, whatever was made before`() throws {
      let few = try visits(making: 30, "siblings")
      let many = try visits(making: 60, "siblings")
      expectEqual(many, 2 * few)
      try expectEqual(visits(making: 30, "siblings"), few)
      try expectEqual(visits(making: 30, "chain", next: "made"), few)
      try expectEqual(visits(making: 60, "chain", next: "made"), many)
      try expectEqual(visits(making: 30, "siblings"), few)
      // Every class is looked at a few times.
      #expect((30...300).contains(few))
    }

    /// Classes in a line, of which each but one overrides the same methods, and asks the one above it.
    private func line(of count: Int, version: Int, _ area: String) -> String {
      """
      patch { version = \(version) }
      local classes = {}
      for i = 1, \(count) do
        local made = class("Line" .. i, classes[i - 1] or "Bank.Sketch")
        if i ~= 3 then
          function made:area() return \(area) end
          function made:fetch(n) return i .. self.super:fetch(n) end
        end
        classes[i] = made
      end
      local Book = class "Bank.SketchBook"
      function Book:run(n) self:add(classes[n]{name = "of line"}) return n end
      """
    }

    private static let lineAreas = [11.5, 111.5, 111.5, 10111.5, 110111.5, 1_110_111.5]
    private static let lineNames = ["1", "21", "21", "421", "5421", "65421"]

    private func expectLine(_ figures: ArraySlice<Sketch>) async {
      for index in figures.indices {
        expectEqual(figures[index].area(), Self.lineAreas[index])
        await expectEqual(figures[index].fetch(7), Self.lineNames[index] + "of line 7")
      }
    }

    @Test(arguments: ["at once", "later", "never"])
    func `objects of a line of classes go on with all of it, whoever has some of its classes`(
      _ takeover: String
    ) async throws {
      defer { _ = try? WaxwingEngine.restore(now: true) }
      let session = try WaxwingEngine.start(
        text: line(of: 6, version: 1, "10 ^ i + self.super:area()"), name: "late")
      let book = SketchBook()
      for number in 1...6 { _ = book.run(number) }
      await expectLine(book.figures[...])
      if takeover != "at once" {
        try WaxwingEngine.end(session)
        await expectLine(book.figures[...])
      }
      if takeover != "never" {
        let text = line(of: 4, version: 2, "5000 + i")
        let next = try WaxwingEngine.apply(texts: [(text, "late")])[0]
        expectEqual(book.figures[..<4].map { $0.area() }, [5001, 5002, 5002, 5004])
        await expectLine(book.figures[4...])
        try WaxwingEngine.end(next)
        expectEqual(book.figures[..<4].map { $0.area() }, [5001, 5002, 5002, 5004])
      }
      await expectLine(book.figures[4...])
      try WaxwingEngine.restore(now: true)
      expectEqual(book.figures.map { $0.area() }, Array(repeating: 1.5, count: 6))
      book.figures = []
      _ = try WaxwingEngine.liveObjects()
      #expect(try listed() == nil)
    }

    /// The words by which the methods of an object's class are called.
    private func vtable(of object: AnyObject) -> [UInt] {
      let metadata = unsafeBitCast(type(of: object), to: UnsafeRawPointer.self)
      // Of all its bytes, those from its address on: TargetClassMetadata, include/swift/ABI/Metadata.h
      let size =
        metadata.load(fromByteOffset: 32, as: UInt32.self)
        - metadata.load(fromByteOffset: 36, as: UInt32.self)
      return stride(from: 56, to: Int(size), by: 8).map {
        metadata.load(fromByteOffset: $0, as: UInt.self)
      }
    }

    @Test func `who has read how a method is called sees the patch, its end and the next one`()
      throws
    {
      let session = try start()
      let book = SketchBook()
      _ = book.run(1)
      _ = book.run(2)
      let vtables = book.figures.map { vtable(of: $0) }
      let areas = book.areas(of: book.figures[0]) { _ = try? WaxwingEngine.end(session) }
      expectEqual(areas, [2.5, 3.5])
      expectEqual(book.figures.map { vtable(of: $0) }, vtables)
      let next = try start(version: 2)
      expectEqual(book.figures.map { vtable(of: $0) }, vtables)
      expectEqual(
        book.areas(of: book.figures[1]) { _ = try? WaxwingEngine.end(next) }, [102.5, 103.5])
      expectEqual(book.figures.map { vtable(of: $0) }, vtables)
      book.figures = []
      _ = try WaxwingEngine.liveObjects()
      #expect(try listed() == nil)
      let superclass = Sketch(name: "s")
      expectEqual(book.areas(of: superclass) {}, [1.5, 1.5])
    }

    @Test func `a class keeps no memory for as many objects as there have been at once`() throws {
      let making =
        Self.patch + """

          function Book:hand(count)
            for _ = 1, count do self:add(Late("one of many")) end
          end
          """
      func heap(afterMaking thousands: Int, of patch: String) throws -> Int {
        let session = try WaxwingEngine.start(text: making, name: patch)
        let book = SketchBook()
        for _ in 0..<thousands { _ = book.hand(1000) }
        expectEqual(book.figures.count, thousands * 1000)
        try WaxwingEngine.end(session)
        book.figures = []
        _ = try WaxwingEngine.liveObjects()
        #expect(try listed() == nil)
        Sketch.ends.withLock { $0 = [] }
        return Int(heap_probe_bytes())
      }
      // Another class: what the engine and the runtime keep for any.
      _ = try heap(afterMaking: 8, of: "another")
      let few = try heap(afterMaking: 1, of: "many")
      let many = try heap(afterMaking: 8, of: "many")
      // The set of their addresses alone is more than 128 kB.
      #expect(many - few < 64 << 10)
    }

    @Test func `they answer as their superclass does when that is asked for`() throws {
      let session = try start()
      let book = SketchBook()
      _ = book.run(1)
      _ = book.run(2)
      expectEqual(book.totalArea(), 106)
      let restoration = try WaxwingEngine.end(session, now: true)
      expectEqual(restoration.livingObjects, [:])
      expectEqual(book.totalArea(), 3)
      expectEqual(book.figures[0].title, "sketch late")
      #expect(try listed() == nil)
    }

    private func calls() throws -> Int {
      try listed()?.overrides.reduce(0) { $0 + $1.calls } ?? 0
    }

    /// With an async method that lets time pass.
    private static let waiting = """
      local Late = class("Late", "Bank.Sketch")
      function Late:fetch(n)
        sleep(n == 9 and 60 or 0.001)
        return self.super:fetch(n + 1) .. "!"
      end
      local Book = class "Bank.SketchBook"

      """

    @Test
    func `async methods go on too, until that is ended`() async throws {
      let session = try WaxwingEngine.start(
        text: Self.waiting + """
          function Book:run(n) self:add(Late{name = "late"}) return n end
          """, name: "late")
      let book = SketchBook()
      _ = book.run(1)
      let late = book.figures[0]
      await expectEqual(late.fetch(1), "late 2!")
      try WaxwingEngine.end(session)
      await expectEqual(late.fetch(1), "late 2!")
      await expectEqual(late.fetch(2), "late 3!")
      try expectEqual(listed()?.state, .lingering)
      // One that waits is not waited for.
      let before = try calls()
      let waiting = Task { await late.fetch(9) }
      try await waitUntil("another call", seen: try calls()) { try calls() != before }
      try WaxwingEngine.restore(now: true)
      await expectEqual(waiting.value, "late 9")
      await expectEqual(late.fetch(1), "late 1")
      _ = try WaxwingEngine.liveObjects()
      #expect(try listed() == nil)
    }

    @Test
    func `async methods that are called while the patch ends run its code`() async throws {
      let session = try WaxwingEngine.start(
        text: Self.waiting + """
          function Book:run(n)
            if n == 0 then class("Bank.Gate").shared:pass() else self:add(Late{name = "late"}) end
            return n
          end
          """, name: "late")
      nonisolated(unsafe) let book = SketchBook()
      _ = book.run(1)
      let late = book.figures[0]
      // The end waits for the second of these calls. It has given up those that wait before, as the first.
      let waiting = Task { await late.fetch(9) }
      try await waitUntil("another call", seen: try calls()) { try calls() != 1 }
      Gate.shared.close()
      let call = StartedThread { _ = book.run(0) }
      await waitUntil("a call at the gate", seen: Gate.shared.waiting) { Gate.shared.waiting > 0 }
      let ending = StartedThread {
        do { try WaxwingEngine.end(session, waitAtMost: .seconds(30)) } catch {
          Issue.record(error)
        }
      }
      await expectEqual(waiting.value, "late 9")
      await letOthersRun(for: .milliseconds(100))
      for _ in 0..<20 { await expectEqual(late.fetch(1), "late 2!") }
      #expect(!ending.join(seconds: 0))
      Gate.shared.open()
      #expect(call.join() && ending.join())
      await expectEqual(late.fetch(1), "late 2!")
      try WaxwingEngine.restore(now: true)
      _ = try WaxwingEngine.liveObjects()
      #expect(try listed() == nil)
    }

    @Test func `restore now ends what goes on`() throws {
      let session = try start()
      let book = SketchBook()
      _ = book.run(1)
      try WaxwingEngine.end(session)
      expectEqual(book.totalArea(), 2.5)
      try expectEqual(WaxwingEngine.restore().livingObjects, ["late.Late": 1])
      expectEqual(book.totalArea(), 3.5)
      try expectEqual(WaxwingEngine.restore(now: true).livingObjects, [:])
      expectEqual(book.totalArea(), 1.5)
      #expect(try listed() == nil)
    }

    @Test func `a new version takes living objects over`() throws {
      _ = try start()
      let book = SketchBook()
      _ = book.run(1)
      let old = book.figures[0]
      expectEqual(old.area(), 2.5)
      let second = try WaxwingEngine.apply(
        texts: [
          (
            """
            patch { version = 2 }
            local Late = class("Late", "Bank.Sketch")
            function Late:area() return 2000 end
            local Book = class "Bank.SketchBook"
            function Book:run(n)
              self:add(Late{name = "new"})
              return 5
            end
            """, "late"
          )
        ])[0]
      expectEqual(old.area(), 2000)
      expectEqual(old.title, "sketch late")
      expectEqual(book.run(1), 5)
      #expect(type(of: book.figures[1]) == type(of: old))
      try expectEqual(WaxwingEngine.list().map(\.state), [.active])
      try WaxwingEngine.end(second, now: true)
      expectEqual(old.area(), 1.5)
    }

    @Test func `applied 1,000 times, a class is made once`() throws {
      let book = SketchBook()
      var types: Set<ObjectIdentifier> = []
      for round in 0..<1000 {
        let session = try start(
          """
          local Again = class("Again", "Bank.Sketch")
          function Again:area() return \(round) end
          local Book = class "Bank.SketchBook"
          function Book:run(n) self:add(Again{name = "a"}) return 1 end
          """)
        _ = book.run(1)
        expectEqual(book.figures[0].area(), Double(round))
        types.insert(ObjectIdentifier(type(of: book.figures[0])))
        book.figures = []
        try WaxwingEngine.end(session)
      }
      expectEqual(types.count, 1)
      #expect(try WaxwingEngine.list().isEmpty)
    }

    @Test func `threads are in methods while the patch ends`() throws {
      let book = SketchBook()
      for _ in 0..<20 {
        let session = try start()
        for n in 1...4 { _ = book.run(n) }
        let figures = book.figures
        book.figures = []
        let ending = StartedThread {
          do { try WaxwingEngine.end(session) } catch { Issue.record(error) }
        }
        onThreads(3) { _ in
          for _ in 0..<200 {
            for figure in figures { #expect(figure.area() >= 1.5) }
          }
        }
        #expect(ending.join())
      }
      // The threads hold the objects for a moment longer.
      try expectEventually(try WaxwingEngine.list().map(\.name), [])
    }
  }
}
