// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Glibc
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Methods that patches add to types, called by name from Swift.
  @Suite struct MethodCallTests {
    private func withMethods<Result>(_ text: String, _ body: () throws -> Result) throws -> Result {
      try withPatch(
        """
        local bank = module "Bank"
        function bank.present(badge) return "patched" end
        local G, P = class "Bank.Greeter", class "Bank.PoliteGreeter"
        \(text)
        """.replacing("bank.present(badge)", with: "bank.present_badge(badge)"), body)
    }

    /// The error that a call by name gives.
    private func failure(_ name: String, on receiver: Any, _ arguments: Any...) -> any Error {
      do {
        let text: String =
          switch arguments.count {
          case 0: try WaxwingEngine.call(name, on: receiver)
          default: try WaxwingEngine.call(name, on: receiver, arguments[0])
          }
        Issue.record("it returned \(text)")
        return GreeterError.shy(text)
      } catch {
        return error
      }
    }

    @Test func `methods with 0, 1 and 5 arguments get them in order`() throws {
      let greeter = PoliteGreeter(name: "Ada")
      try withMethods(
        """
        G:method("stringForTesting", function(self) return "Look at me!" end)
        G:method("one", function(self, a) return self.name .. a end)
        G:method("five", function(self, a, b, c, d, e, ...)
          return table.concat({ a, b, tostring(c), d.name, #e, select("#", ...) }, ",")
        end)
        """
      ) {
        let none: String = try WaxwingEngine.call("stringForTesting", on: greeter)
        let one: String = try WaxwingEngine.call("one", on: greeter, 7)
        let five: String = try WaxwingEngine.call(
          "five", on: greeter, 1, "x", true, Greeter(name: "Bob"), [1, 2, 3])
        expectEqual([none, one, five], ["Look at me!", "Ada7", "1,x,true,Bob,3,0"])
        expectEqual(patches().flatMap(\.methods).map(\.name), ["stringForTesting", "one", "five"])
        #expect(patches().flatMap(\.methods).allSatisfy { $0.owner == "Bank.Greeter" })
      }
    }

    @Test func `nil arguments are at their places, the last one too`() throws {
      let greeter = Greeter(name: "Ada")
      try withMethods(
        """
        G:method("all", function(self, ...)
          local parts = {}
          for i = 1, select("#", ...) do parts[i] = tostring((select(i, ...))) end
          return table.concat(parts, ",")
        end)
        """
      ) {
        let text: String = try WaxwingEngine.call(
          "all", on: greeter, nil as Int?, 1 as Int?, nil as String?, UInt8(200), nil as Greeter?,
          nil)
        expectEqual(text, "nil,1,nil,200,nil,nil")
      }
    }

    @Test func `results are what is asked for`() throws {
      let greeter = Greeter(name: "Ada")
      try withMethods(
        """
        G:method("echo", function(self, ...) return ... end)
        G:method("me", function(self) return self end)
        G:method("adder", function(self, n) return function(m) return n + m end end)
        """
      ) {
        let numbers: [Int] = try WaxwingEngine.call("echo", on: greeter, [1, 2])
        let named: [String: Double] = try WaxwingEngine.call("echo", on: greeter, ["a": 1.5])
        let pair: (Int, String) = try WaxwingEngine.call("echo", on: greeter, 1, "b")
        let nothing: Int? = try WaxwingEngine.call("echo", on: greeter)
        let badge: Badge = try WaxwingEngine.call(
          "echo", on: greeter, Badge(title: "t", level: 2))
        let any: Any = try WaxwingEngine.call("echo", on: greeter, 7)
        let same: Greeter = try WaxwingEngine.call("me", on: greeter)
        let adder: (Int) -> Int = try WaxwingEngine.call("adder", on: greeter, 3)
        try WaxwingEngine.call("echo", on: greeter, 1, returning: Void.self)
        let isSame = same === greeter
        let number = any as? Int
        #expect(isSame && numbers == [1, 2] && named == ["a": 1.5] && pair == (1, "b"))
        #expect(nothing == nil && number == 7 && badge == Badge(title: "t", level: 2))
        expectEqual(adder(4), 7)
      }
    }

    @Test func `static methods are called on types, others on values of any kind`() throws {
      try withMethods(
        """
        G.static:method("make", function(self, name) return self(name) end)
        class("Bank.Badge"):method("label", function(self, n) return self.title .. n end)
        class("Bank.Mood"):method("word", function(self) return self.case end)
        """
      ) {
        let greeter: Greeter = try WaxwingEngine.call("make", on: PoliteGreeter.self, "Eve")
        #expect(type(of: greeter) == PoliteGreeter.self && greeter.name == "Eve")
        let label: String = try WaxwingEngine.call("label", on: Badge(title: "b", level: 1), 3)
        let word: String = try WaxwingEngine.call("word", on: Mood.merry)
        #expect(label == "b3" && word == "merry")
        let error = failure("make", on: greeter) as? WaxwingError
        expectEqual(error?.code, .notFound)
      }
    }

    @Test func `errors of Lua are LuaError, those of Swift themselves`() throws {
      let greeter = Greeter(name: "Ada")
      try withMethods(
        """
        G:method("explicit", function(self) error("test error") end)
        G:method("fault", function(self) return nil + 1 end)
        G:method("swift", function(self) return self:fail() end)
        G:method("number", function(self) return 7 end)
        G:method("nothing", function(self) end)
        """
      ) {
        let explicit = failure("explicit", on: greeter) as? LuaError
        expectEqual(explicit?.message, "test error")
        #expect(explicit?.file == "test.lua" && explicit?.line == 4)
        #expect(explicit?.traceback.isEmpty == false)
        let fault = failure("fault", on: greeter) as? LuaError
        #expect(fault?.line == 5 && fault?.message.contains("arithmetic") == true)
        #expect(failure("swift", on: greeter) as? GreeterError == .shy("Ada"))
        let number = failure("number", on: greeter) as? LuaError
        expectEqual(
          number?.description,
          "test.lua:7: the method Bank.Greeter.number returned a wrong value: "
            + "expected String, got integer 7")
        let nothing = failure("nothing", on: greeter) as? LuaError
        #expect(nothing?.message.contains("returned nothing: expected String, got nil") == true)
      }
    }

    @Test func `what no patch has added is no method, before, meanwhile and after`() throws {
      let greeter = PoliteGreeter(name: "Ada")
      let before = failure("greeting", on: greeter) as? WaxwingError
      expectEqual(before?.code, .notFound)
      expectEqual(before?.remedy, "no loaded patch adds a method to Bank.PoliteGreeter")
      try withMethods("G:method('greeting', function() return 'hi' end)") {
        let text: String = try WaxwingEngine.call("greeting", on: greeter)
        expectEqual(text, "hi")
        let other = failure("greting", on: greeter) as? WaxwingError
        #expect(other?.message.contains("no such method") == true)
        expectEqual(other?.details, ["Bank.PoliteGreeter has `greeting`"])
        expectEqual(other?.remedy, "did you mean `greeting`?")
        let swift = failure("word", on: greeter) as? WaxwingError
        expectEqual(swift?.code, .notFound)
        let value = failure("greeting", on: 7) as? WaxwingError
        expectEqual(value?.code, .notFound)
      }
      let after = failure("greeting", on: greeter) as? WaxwingError
      #expect(after?.code == .notFound && after?.details == [])
      #expect(after?.message.hasPrefix("no such method") == true)
    }

    @Test func `a method that throws by name leaks nothing`() throws {
      let alive = Mayfly.record.withLock(\.alive)
      try withMethods(
        """
        G:method("take", function(self, fly) self:fail() end)
        G:method("wrong", function(self, fly) return { fly, 7 } end)
        """
      ) {
        for _ in 0..<10 {
          let greeter = Greeter(name: "Ada")
          #expect(failure("take", on: greeter, Mayfly(name: "m")) as? GreeterError == .shy("Ada"))
          #expect(throws: LuaError.self) {
            let _: [Mayfly] = try WaxwingEngine.call("wrong", on: greeter, Mayfly(name: "m"))
          }
        }
      }
      expectEqual(Mayfly.record.withLock(\.alive), alive)
    }

    @Test func `the newest patch that has the method is asked`() throws {
      let greeter = PoliteGreeter(name: "Ada")
      func text() -> String? { try? WaxwingEngine.call("greeting", on: greeter) }
      let sessions = try ["a", "b"].map { name in
        try WaxwingEngine.start(
          text: "class('Bank.Greeter'):method('greeting', function() return '\(name)' end)",
          name: name)
      }
      let other = try WaxwingEngine.start(
        text: "class('Bank.Greeter'):method('bye', function() return 'c' end)", name: "c")
      expectEqual(text(), "b")
      try WaxwingEngine.end(sessions[1])
      expectEqual(text(), "a")
      try WaxwingEngine.end(sessions[0])
      #expect(text() == nil)
      try WaxwingEngine.end(other)
    }

    @Test func `a method calls Swift code that calls a method by name`() throws {
      let greeter = Greeter(name: "Ada")
      try withMethods(
        """
        G:method("outer", function(self)
          return self:welcome(function(g) return "closure " .. g.name end)
        end)
        G:method("inner", function(self, n) return "inner" .. n end)
        function G:word() return self:ORIGword() .. "!" end
        """
      ) {
        let outer: String = try WaxwingEngine.call("outer", on: greeter)
        #expect(outer == "closure Ada" && greeter.greeted == 1)
        let inner = try greeter.welcome { try WaxwingEngine.call("inner", on: $0, 3) }
        #expect(inner == "inner3" && greeter.word() == "hello!")
      }
    }

    /// A thread that is in the added method `hold`, and then writes down what it got.
    private func holding(_ latch: Latch, _ lines: LogLines) -> StartedThread {
      let thread = StartedThread {
        let held: String? = try? WaxwingEngine.call("hold", on: latch)
        lines.add(held ?? "nothing")
      }
      latch.waitUntilHeld()
      return thread
    }

    @Test func `an end waits for a call, and names it if it lasts`() throws {
      let session = try WaxwingEngine.start(
        text: """
          class("Bank.Latch"):method("hold", function(self) self:wait() return "held" end)
          """, name: "slow")
      let latch = Latch()
      let lines = LogLines()
      let thread = holding(latch, lines)
      let end = try WaxwingEngine.end(session, waitAtMost: .milliseconds(30))
      expectEqual(end.laggards.map(\.function), ["Bank.Latch.hold"])
      expectEqual(end.laggards.first?.patch, "slow")
      #expect((failure("hold", on: latch) as? WaxwingError)?.code == .notFound)
      latch.open()
      #expect(thread.join())
      expectEqual(lines.all, ["held"])
      #expect(try WaxwingEngine.restore().isComplete)
      #expect(patches().isEmpty)
    }

    @Test func `a method that outlasts its patch finds the program's own functions`() throws {
      let session = try WaxwingEngine.start(
        text: """
          local G, L = class "Bank.Greeter", class "Bank.Latch"
          local g = G("g")
          function G:word() return "lua " .. self:ORIGword() end
          L:method("hold", function(self)
            local before = g:word()
            self:wait()
            return before .. ", " .. g:word() .. ", " .. g:ORIGword() .. ", " .. g:extra()
          end)
          G:method("extra", function() return "extra" end)
          on("ended", function() log.info(g:word() .. " " .. g:ORIGword()) end)
          """, name: "slow")
      let logged = LogLines()
      WaxwingEngine.setLogHandler { if $0.event == "patch.log" { logged.add($0.message) } }
      let latch = Latch()
      let lines = LogLines()
      let thread = holding(latch, lines)
      let end = try WaxwingEngine.end(session, waitAtMost: .milliseconds(30))
      expectEqual(end.laggards.map(\.function), ["Bank.Latch.hold"])
      // Other patches come and go on the same function meanwhile.
      for _ in 0..<20 {
        let other = try WaxwingEngine.start(
          text: "local G = class 'Bank.Greeter'\nfunction G:word() return 'other' end", name: "o")
        try WaxwingEngine.end(other)
      }
      latch.open()
      #expect(thread.join())
      expectEqual(lines.all, ["lua hello, hello, hello, extra"])
      #expect(try WaxwingEngine.restore().isComplete)
      #expect(patches().isEmpty && logged.all == ["hello hello"])
    }

    @Test func `calls on threads while the patch ends are answered or not found`() throws {
      for _ in 0..<10 {
        let session = try WaxwingEngine.start(
          text: "class('Bank.Greeter'):method('greeting', function(self) return self.name end)",
          name: "busy")
        let results = Mutex<[String: Int]>([:])
        let threads = (0..<3).map { index in
          StartedThread {
            let greeter = Greeter(name: "n\(index)")
            var last = ""
            repeat {
              do {
                last = try WaxwingEngine.call("greeting", on: greeter)
                if last != greeter.name { last = "wrong \(last)" }
              } catch {
                last = (error as? WaxwingError)?.code == .notFound ? "gone" : "\(error)"
              }
              results.withLock { $0[last, default: 0] += 1 }
            } while last == greeter.name
          }
        }
        letOthersRun(for: .milliseconds(2))
        let end = try WaxwingEngine.end(session)
        #expect(end.isComplete)
        #expect(threads.allSatisfy { $0.join() })
        let last = results.withLock { $0 }
        #expect(last["gone"] == 3 && last.keys.allSatisfy { $0 == "gone" || $0.hasPrefix("n") })
      }
    }
  }
}
