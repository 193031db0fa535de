// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import Testing
import Waxwing

@testable import Bank

extension EngineSuite {
  /// Closures wherever a value can be, from Swift to Lua and from Lua to Swift.
  @Suite struct ClosurePlaceTests {
    private let forms = ClosureForms()

    @Test func `closures in enums' payloads`() throws {
      func check() {
        let called = forms.callbacks().map { forms.called($0, 5) }
        expectEqual(called, ["none", "run 6", "name 5!", "run 13"])
        expectEqual(forms.called(.after({ $0 + 1 }, .named("x") { $0 + $0 }), 1), "x 22")
      }
      check()
      try withPatch(
        """
        local Forms, Callback = class "Bank.ClosureForms", class "Bank.Callback"
        local function again(callback)
          local kind = callback.case
          if kind == "run" then
            local body = callback[1]
            return Callback.run(function(n) return body(n) end)
          elseif kind == "named" then
            local name, change = unpack(callback)
            assert(callback.change("a") == change("a"))
            return { case = "named", name, change = function(text) return change(text) end }
          elseif kind == "after" then
            local body, next = unpack(callback)
            return Callback.after(function(n) return body(n) end, again(next))
          end
          return callback
        end
        function Forms:callbacks()
          local callbacks = self:ORIGcallbacks()
          for i, callback in ipairs(callbacks) do callbacks[i] = again(callback) end
          return callbacks
        end
        function Forms:called(callback, n) return self:ORIGcalled(again(callback), n) end
        """
      ) {
        check()
        expectEqual(faults(), [])
      }
      check()
    }

    @Test func `closures as default arguments`() throws {
      func check(_ factor: Int) {
        expectEqual(forms.defaulted(3), 21 * factor)
        expectEqual(forms.defaulted(3) { $0 + 1 }, 4 * factor)
        forms.kept()
        expectEqual(forms.handler(2), 18 * factor)
      }
      check(1)
      try withPatch(
        """
        local Forms = class "Bank.ClosureForms"
        function Forms:defaulted(n, body)
          return body(n) + self:ORIGdefaulted(n, function(m) return body(m) end)
        end
        function Forms:kept(body) self:ORIGkept(function(n) return body(n) * 2 end) end
        function Forms:run()
          self:ORIGkept()
          return self:ORIGdefaulted(4) .. " " .. self:ORIGdefaulted(4, function(n) return n end) .. " "
            .. self.handler(3)
        end
        """
      ) {
        check(2)
        expectEqual(forms.run(), "28 4 27")
        expectEqual(faults(), [])
      }
      check(1)
    }

    @Test func `inout arguments of closures: structs, optionals, arrays, closures`() throws {
      let alive = Token.alive
      func check() {
        let changed = forms.changing { wide, chest, list in
          wide.a += 10
          chest = chest.map { Chest($0.token.number + 1) }
          list.append("b")
          return list.count
        }
        expectEqual(changed, "11 3 ab 2")
        let none = forms.changing { _, chest, _ in
          chest = nil
          return 0
        }
        expectEqual(none, "1 0 a 0")
        let closures = forms.closureChanging { one, two in
          let old = one
          one = { old($0) * 10 }
          two = old
        }
        expectEqual(closures, "20 2")
      }
      check()
      try withPatch(
        """
        local Forms = class "Bank.ClosureForms"
        function Forms:changing(body)
          return self:ORIGchanging(function(wide, chest, list)
            local result, w, c, l = body(wide, chest, list)
            assert(wide.a == 1 and (chest.token.number == 2) and #list == 1)
            return result, w, c, l
          end)
        end
        function Forms:closureChanging(body)
          return self:ORIGclosureChanging(function(one, two)
            assert(one(1) == 2 and two == nil)
            local first, second = body(one, function(n) return n end)
            return function(n) return first(n) end, second
          end)
        end
        """
      ) {
        check()
        expectEqual(faults(), [])
      }
      check()
      expectEqual(Token.alive, alive)
    }

    @Test func `collections of closures, and closures that make closures, as results`() throws {
      func check() {
        #expect(forms.table()["double"]?(4) == 8 && forms.table()["negative"]?(4) == -4)
        expectEqual(forms.list().map { $0(3) }, [6, -3])
        #expect(forms.sparse()[0]?(3) == 6 && forms.sparse()[1] == nil)
        expectEqual(forms.adder()(1)(2)(3), 6)
        expectEqual(forms.adds { a in { b in { c in a * b + c } } }, 110)
        let (name, body) = forms.pairMaker()(5)
        #expect(name == "n5" && body(1) == 6)
        expectEqual(forms.pairs { n in ("p\(n)", { $0 * n }) }, "p3 12")
      }
      check()
      try withPatch(
        """
        local Forms = class "Bank.ClosureForms"
        local function wrap(f) return f and f ~= null and function(...) return f(...) end or f end
        function Forms:table()
          local result = {}
          for name, f in pairs(self:ORIGtable()) do result[name] = wrap(f) end
          return result
        end
        for _, name in ipairs { "list", "sparse" } do
          Forms[name] = function(self)
            local fs = self["ORIG" .. name](self)
            for i = 1, 2 do fs[i] = wrap(fs[i]) end
            return fs
          end
        end
        local function deep(f) return function(a) return function(b) return wrap(f(a)(b)) end end end
        function Forms:adder() return deep(self:ORIGadder()) end
        function Forms:adds(f) return self:ORIGadds(deep(f)) end
        local function none() return 0 end
        local function paired(f)
          return fallback(function(n)
            local name, body = f(n)
            return name, wrap(body)
          end, { name = "", body = none })
        end
        function Forms:pairMaker() return paired(self:ORIGpairMaker()) end
        function Forms:pairs(f) return self:ORIGpairs(paired(f)) end
        """
      ) {
        check()
        expectEqual(faults(), [])
      }
      check()
    }

    @Test func `a function that is called by a deinitializer`() throws {
      let text = try withPatch(
        """
        local Forms, LastWords = class "Bank.ClosureForms", class "Bank.LastWords"
        local said = {}
        function Forms:run()
          local function say(n) said[#said + 1] = n end
          self:dies(1, say)
          self.words = LastWords(2, say)
          self.words = nil
          LastWords(3, function(n) say(n) say(#said) end)
          self.words = LastWords(4, say)
          return table.concat(said, " ")
        end
        function Forms:dies(n, body)
          self:ORIGdies(n, function(m) body(m) said[#said + 1] = "swift" end)
        end
        function Forms:called() return table.concat(said, " ") end
        """
      ) {
        var swift = 0
        expectEqual(forms.run(), "1 swift")
        _ = held()
        expectEqual(forms.called(.none, 0), "1 swift 3 3 2")
        forms.dies(5) { swift = $0 }
        forms.words = nil
        expectEqual(swift, 5)
        forms.words = LastWords(6) { swift = $0 }
        expectEqual(faults(), [])
        return forms.called(.none, 0)
      }
      expectEqual(text, "1 swift 3 3 2 swift 4")
      forms.words = nil
    }

    @Test func `a deinitializer calls a function whose patch has ended`() throws {
      try withPatch(
        """
        local Forms, LastWords = class "Bank.ClosureForms", class "Bank.LastWords"
        function Forms:run()
          self.words = LastWords(1, function(n) error("never called") end)
          return "kept"
        end
        """
      ) {
        expectEqual(forms.run(), "kept")
      }
      forms.words = nil
    }

    @Test func `threads call a stored function while the script is busy`() throws {
      try withPatch(
        """
        local Forms = class "Bank.ClosureForms"
        local calls, isBusy = 0, false
        function Forms:run()
          self.handler = function(n)
            assert(not isBusy, "two threads are in Lua")
            calls = calls + 1
            return n + 1
          end
          return ""
        end
        function Forms:defaulted(n, body)
          isBusy = true
          local sum = 0
          for i = 1, 2000 do sum = sum + i end
          isBusy = false
          return body(sum)
        end
        function Forms:called() return tostring(calls) end
        """
      ) {
        _ = forms.run()
        onThreads(4) { [forms] index in
          for n in 0..<200 {
            if index == 0 {
              let sum = forms.defaulted(0) { forms.handler($0) }
              if sum != 2_001_001 { Issue.record("\(sum)") }
            } else if forms.handler(n) != n + 1 {
              Issue.record("thread \(index): \(n)")
            }
          }
        }
        expectEqual(forms.called(.none, 0), "800")
        expectEqual(faults(), [])
      }
    }
  }
}
