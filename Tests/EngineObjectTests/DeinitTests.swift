// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Functions that are told of the ends of the program's objects.
  @Suite struct DeinitTests {
    private func ends() -> [String] {
      Sketch.ends.withLock { ends in
        defer { ends = [] }
        return ends
      }
    }

    @Test func `a function is told before an object ends`() throws {
      _ = ends()
      try withPatch(
        """
        local Sketch = class "Bank.Sketch"
        Sketch:deinit(function(self) self.name = "told of " .. self.name end)
        """
      ) {
        _ = Sketch(name: "one")
        _ = SketchPolygon(name: "two")
        expectEqual(ends(), ["end of told of one", "end of told of two"])
        expectEqual(faults(), [])
        #expect(patches().first?.overrides.map(\.owner).contains("Bank.SketchPolygon") == true)
      }
      _ = Sketch(name: "three")
      expectEqual(ends(), ["end of three"])
    }

    @Test func `and after it has ended`() throws {
      _ = ends()
      try withPatch(
        """
        local count = 0
        local Sketch, Book = class "Bank.Sketch", class "Bank.SketchBook"
        Sketch:deinit(function() count = count + 1 end, { after = true })
        function Book:run(n) return count end
        """
      ) {
        for _ in 0..<10 { _ = Sketch(name: "one") }
        expectEqual(ends().count, 10)
        expectEqual(SketchBook().run(0), 10)
        expectEqual(faults(), [])
      }
    }

    @Test func `objects of a class in Lua are told of too, and end in order`() throws {
      _ = ends()
      try withPatch(
        """
        local Sketch, Book = class "Bank.Sketch", class "Bank.SketchBook"
        Sketch:deinit(function(self) self.name = "base " .. self.name end)
        local Mine = class("Mine", Sketch)
        function Mine:deinit() self.name = "mine " .. self.name end
        function Book:run(n) self:add(Mine{name = "x"}) return 0 end
        """
      ) {
        let book = SketchBook()
        _ = book.run(0)
        _ = try WaxwingEngine.liveObjects()
        book.figures = []
        expectEqual(ends(), ["end of base mine x"])
        expectEqual(faults(), [])
      }
    }

    @Test func `what fails there lets the object end all the same`() throws {
      _ = ends()
      try withPatch(
        "class 'Bank.Sketch':deinit(function(self) error('no', 0) end)"
      ) {
        _ = Sketch(name: "one")
        expectEqual(ends(), ["end of one"])
        expectEqual(faults().count, 1)
      }
      #expect(refusal("class 'Bank.SketchError':deinit(print)").contains("is not a class"))
      #expect(refusal("class 'Bank.SketchBox':deinit(print)").contains("is generic"))
      #expect(
        refusal("local S = class 'Bank.Sketch' S:deinit(print) S:deinit(print)")
          .contains("this patch has already added a deinitializer"))
    }

    @Test func `from many threads`() throws {
      _ = ends()
      try withPatch(
        """
        local count, Book = 0, class "Bank.SketchBook"
        class "Bank.Sketch":deinit(function(self) count = count + #self.name end)
        function Book:run(n) return count end
        """
      ) {
        onThreads(4) { _ in
          for _ in 0..<200 { _ = Sketch(name: "ab") }
        }
        expectEqual(SketchBook().run(0), 1600)
        expectEqual(faults(), [])
      }
      expectEqual(ends().count, 800)
    }
  }
}
