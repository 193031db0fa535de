// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Testing
import Waxwing

extension EngineSuite {
  /// Protocols that patches let classes conform to, used by Swift code.
  @Suite struct ConformanceTests {
    private let presenter = """
      local Exhibit = class "Bank.Exhibit"
      local titles = {}
      conform(Exhibit, "Presenter", {
        present = function(self, who) return "hi " .. who .. " from " .. self.owner end,
        lines = function(self, start, count) return { self.owner, start, count } end,
        ["parse(_:)"] = function(self, text)
          local number = tonumber(text)
          if not number then error("no number: " .. text, 0) end
          return number
        end,
        advance = function(self, step) self.count = self.count + step; return self.count end,
        get = { title = function(self) return titles[self.owner] or self.owner end },
        set = { title = function(self, value) titles[self.owner] = value end },
      })
      """

    private var linesFixed: String {
      presenter.replacingOccurrences(
        of: "{ self.owner, start, count }", with: "{ self.owner, start .. '+' .. count }")
    }

    @Test func `as? finds the conformance while the patch is live, and calls Lua`() throws {
      let exhibit = Exhibit(owner: "ada")
      #expect(!isPresenter(exhibit))
      try withPatch(linesFixed) {
        #expect(isPresenter(exhibit))
        expectEqual(presented(exhibit, to: "you"), "ada: hi you from ada")
        expectEqual(presentOpened(exhibit, "me"), "hi me from ada ada,1+2")
        #expect((exhibit as Any as? any Presenter).map { somePresenter($0) } == "ada")
        expectEqual(faults(), [])
      }
      #expect(!isPresenter(exhibit))
      expectEqual(presented(exhibit, to: "you"), "no presenter")
    }

    @Test func `subclasses conform with their class`() throws {
      try withPatch(linesFixed) {
        expectEqual(presented(SpecialExhibit(owner: "bo"), to: "you"), "bo: hi you from bo")
      }
    }

    @Test func `setters and changes in place go through existentials`() throws {
      try withPatch(linesFixed) {
        let exhibit = Exhibit(owner: "cy")
        expectEqual(appendToTitle(exhibit, "+a"), "cy+a")
        expectEqual(appendToTitle(exhibit, "+b"), "cy+a+b")
        setTitle(exhibit, "new")
        expectEqual(presented(exhibit, to: "x"), "new: hi x from cy")
        expectEqual(faults(), [])
      }
    }

    @Test func `a change in place that throws is still written, as by the compiler`() throws {
      var model: any Presenter = ModelPresenter()
      #expect(spoilTitle(&model))
      expectEqual(model.title, "model!")
      try withPatch(linesFixed) {
        var presenter = try #require(Exhibit(owner: "di") as Any as? any Presenter)
        #expect(spoilTitle(&presenter))
        expectEqual(presenter.title, "di!")
      }
    }

    @Test func `mutating and throwing requirements`() throws {
      try withPatch(linesFixed) {
        let exhibit = Exhibit(owner: "eve")
        expectEqual(advanced(exhibit, 3), 3)
        expectEqual(advanced(exhibit, 4), 7)
        let twelve = try parsed(exhibit, "12")
        expectEqual(twelve, 12)
        let error = #expect(throws: LuaError.self) { try parsed(exhibit, "x") }
        expectEqual(error?.message, "no number: x")
      }
    }

    @Test func `class-bound protocols, weak references and default implementations`() throws {
      let holder = WatcherHolder()
      let exhibit = Exhibit(owner: "fay")
      try withPatch(
        """
        conform("Exhibit", "ExhibitWatcher", {
          watched = function(self, amount) self.count = self.count + amount; return self.count end,
          maker = function(self) return nil end,
          get = { seen = function(self) return self.count end },
          set = { seen = function(self, n) self.count = n end },
        })
        """
      ) {
        #expect(holder.adopt(exhibit))
        expectEqual(holder.fire(5), 5)
        expectEqual(holder.see(2), 7)
        expectEqual(exhibit.count, 7)
        expectEqual(holder.idle(), "idle by default")
        #expect(holder.maker() == nil)
        expectEqual(faults(), [])
      }
      // Who still has it goes on without Lua.
      expectEqual(holder.fire(5), 0)
      expectEqual(holder.idle(), "idle by default")
      expectEqual(holder.see(1), 0)
      expectEqual(exhibit.count, 7)
      #expect(!WatcherHolder().adopt(exhibit))
    }

    @Test func `what the script gives for a default implementation goes before it`() throws {
      let holder = WatcherHolder()
      let exhibit = Exhibit(owner: "gil")
      try withPatch(
        """
        conform("Exhibit", "ExhibitWatcher", {
          watched = function(self, amount) return amount end,
          maker = function(self) return self.owner end,
          idle = function(self) return "Lua, not " .. original(self) end,
          get = { seen = function(self) return self.count end },
          set = { seen = function(self, n) self.count = n end },
        })
        """
      ) {
        #expect(holder.adopt(exhibit))
        expectEqual(holder.idle(), "Lua, not idle by default")
        expectEqual(holder.maker(), "gil")
        expectEqual(faults(), [])
      }
      expectEqual(holder.idle(), "idle by default")
    }

    @Test func `inherited protocols are conformed to with the same table`() throws {
      let exhibit = Exhibit(owner: "hal")
      try withPatch(
        linesFixed.replacingOccurrences(
          of: "\"Presenter\", {", with: "\"Bank.Curator\", { curate = function() return 7 end,")
      ) {
        expectEqual(curated(exhibit), "7 hi you from hal")
        expectEqual(presented(exhibit, to: "x"), "hal: hi x from hal")
      }
      expectEqual(curated(exhibit), "no curator")
      #expect(!isPresenter(exhibit))
    }

    @Test func `subscripts, and changes of them in place`() throws {
      try withPatch(
        """
        local cells = {}
        conform("Bank.Exhibit", "ExhibitGrid", {
          get = {
            ["subscript(_:_:)"] = function(self, row, column) return cells[row * 10 + column] or self.owner end,
            ["subscript(name:)"] = function(self, name) return #name end,
          },
          set = { subscript = function(self, value, row, column) cells[row * 10 + column] = value end },
        })
        """
      ) {
        expectEqual(extendCell(Exhibit(owner: "ida"), 1, 2, "xyz"), "idaxyz/3")
        expectEqual(extendCell(Exhibit(owner: "ida"), 1, 2, "!"), "idaxyz!/1")
        expectEqual(faults(), [])
      }
    }

    @Test func `initializers, static requirements and Self`() throws {
      try withPatch(
        """
        local Exhibit = class "Bank.Exhibit"
        local limit, nobody = 3, Exhibit("nobody")
        conform(Exhibit, "ExhibitMaker", {
          ["init(name:)"] = fallback(function(class, name) return class(name) end, nobody),
          ["init(number:)"] = function(class, number)
            return number > 0 and class("number " .. number) or nil
          end,
          twin = fallback(function(self) return Exhibit(self.owner .. "'s twin") end, nobody),
          static = {
            get = { limit = function(class) return limit end },
            set = { limit = function(class, value) limit = value end },
          },
        })
        """
      ) {
        #expect((makeExhibit(Exhibit.self, "jo") as? Exhibit)?.owner == "jo")
        #expect((makeExhibit(Exhibit.self, number: 4) as? Exhibit)?.owner == "number 4")
        #expect(makeExhibit(Exhibit.self, number: -4) == nil)
        expectEqual(makerOrigin(Exhibit.self), "hall")  // its own
        expectEqual(raiseLimit(Exhibit.self, 4), 7)
        expectEqual(raiseLimit(Exhibit.self, 1), 8)
        #expect((twin(Exhibit(owner: "jo")) as? Exhibit)?.owner == "jo's twin")
        expectEqual(faults(), [])
      }
      #expect(makeExhibit(Exhibit.self, "jo") == nil)
    }

    @Test func `associated types and async requirements`() async throws {
      let session = try WaxwingEngine.start(
        text: """
          conform("Bank.Exhibit", "ExhibitSource", {
            items = function(self, count) return { 1, 2, count } end,
            first = function(self) return 5 end,
            pair = function(self, item) return item, item * 2 end,
            fetch = function(self, index)
              sleep(0.01)
              if index < 0 then error("below", 0) end
              return index * 10
            end,
            wait = function(self) sleep(0.01); return self.count end,
          }, { types = { Item = "Int" } })
          """, name: "test")
      defer { _ = try? WaxwingEngine.end(session) }
      let exhibit = Exhibit(owner: "kim")
      expectEqual(allItems(exhibit), "[1, 2, 3] 5 [2, 4, 6] Int")
      try await expectEqual(fetched(exhibit, 4), "40 0")
      await #expect(throws: LuaError.self) { try await fetched(exhibit, -1) }
      expectEqual(faults(), [])
      let source = exhibit as Any as! any ExhibitSource
      try WaxwingEngine.end(session)
      await expectEqual(source.wait(), 0)
      await #expect(throws: LuaError.self) { try await source.fetch(1) }
      #expect(source.first() == nil)
    }

    @Test func `Equatable, Hashable, Comparable and CustomStringConvertible`() throws {
      let (one, same, other) = (Exhibit(owner: "l"), Exhibit(owner: "l"), Exhibit(owner: "m"))
      #expect(areEqual(one, same) == nil)
      try withPatch(
        """
        local Exhibit = class "Bank.Exhibit"
        conform(Exhibit, "Comparable", {
          static = {
            ["=="] = function(class, a, b) return a.owner == b.owner end,
            ["<"] = function(class, a, b) return a.owner < b.owner end,
          },
        })
        conform(Exhibit, "Hashable", {
          hash = function(self, into) into:combine(self.owner); return into end,
        })
        conform(Exhibit, "CustomStringConvertible", {
          get = { description = function(self) return "exhibit of " .. self.owner end },
        })
        """
      ) {
        #expect(areEqual(one, same) == true)
        #expect(areEqual(one, other) == false)
        #expect(isBefore(one, other) == true)
        #expect(isBefore(other, one) == false)
        expectEqual(described(one), "exhibit of l")
        expectEqual(counted([one, same, other]), 2)
        expectEqual(faults(), [])
      }
      #expect(areEqual(one, same) == nil)
      expectEqual(described(one), "Bank.Exhibit")
    }

    @Test func `errors are thrown and caught`() throws {
      let exhibit = Exhibit(owner: "nat")
      #expect(try !throwIfError(exhibit))
      let session = try WaxwingEngine.start(
        text: #"conform("Bank.Exhibit", "Swift.Error")"#, name: "test")
      expectEqual(patches().first?.classVersions, ["Bank.Exhibit": 1])
      do {
        _ = try throwIfError(exhibit)
        Issue.record("nothing was thrown")
      } catch {
        #expect((error as? Exhibit) === exhibit)
      }
      try WaxwingEngine.end(session)
      #expect(try !throwIfError(exhibit))
    }

    @Test func `sequences are walked by for`() throws {
      let exhibit = Exhibit(owner: "oz")
      try withPatch(
        """
        local Exhibit = class "Bank.Exhibit"
        conform(Exhibit, "IteratorProtocol", {
          next = function(self)
            self.count = self.count + 1
            return self.count <= 4 and self.count or nil
          end,
        }, { types = { Element = "Int" } })
        conform(Exhibit, "Sequence", {
          makeIterator = fallback(function(self) self.count = 0; return self end, Exhibit("none")),
        }, { types = { Iterator = Exhibit } })
        """
      ) {
        expectEqual(sum(exhibit), 10)
        expectEqual(mapped(exhibit), ["<1>", "<2>", "<3>", "<4>"])
        expectEqual(faults(), [])
      }
      expectEqual(sum(exhibit), -1)
    }

    @Test func `Codable: Lua's own tables are encoded and decoded`() throws {
      try withPatch(
        """
        conform("Bank.Exhibit", "Codable", {
          encode = function(self, encoder)
            encoder:encode{ owner = self.owner, count = self.count, rate = 1.5, open = true,
              list = { 1, null, "three", { deep = { "yes" } } }, since = Date{ timeIntervalSinceReferenceDate = 5 }, none = {} }
          end,
          init = fallback(function(class, decoder)
            local coded = decoder:decode()
            local made = class{ owner = coded.owner }
            made.count = coded.count
            made.label = string.format("%s %s %d %s %s %s", coded.open, math.type(coded.rate),
              #coded.list, coded.list[2] == null, coded.list[4].deep[1], coded.nothing)
            return made
          end, class("Bank.Exhibit")("nobody")),
        })
        """
      ) {
        let exhibit = Exhibit(owner: "Ada")
        exhibit.count = 7
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .millisecondsSince1970
        let value = try #require(exhibit as Any as? any Encodable)
        let text = try encoder.encode(["of": [EncodedAny(value: value)]])
        expectEqual(
          String(decoding: text, as: UTF8.self),
          #"{"of":[{"count":7,"list":[1,null,"three",{"deep":["yes"]}],"none":[],"open":true,"#
            + #""owner":"Ada","rate":1.5,"since":978307205000}]}"#)
        let type = try #require(Exhibit.self as Any.Type as? any Decodable.Type)
        let part = try encoder.encode(value)
        let decoded = try JSONDecoder().decode(type, from: part) as? Exhibit
        expectEqual(decoded?.owner, "Ada")
        expectEqual(decoded?.count, 7)
        expectEqual(decoded?.label, "true float 4 true yes nil")
        let wrong = #"{"owner":1}"#
        #expect(throws: (any Error).self) {
          try JSONDecoder().decode(type, from: Data(wrong.utf8))
        }
        expectEqual(faults(), [])
      }
    }

    /// Lets an `any Encodable` be an element.
    private struct EncodedAny: Encodable {
      let value: any Encodable
      func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test func `Encodable: what encode throws comes out of the encoder`() throws {
      try withPatch(
        """
        conform("Bank.Exhibit", "Encodable", {
          ["encode(to:)"] = function(self, to) error("not for " .. self.owner, 0) end,
        })
        """
      ) {
        let value = try #require(Exhibit(owner: "pat") as Any as? any Encodable)
        let error = #expect(throws: LuaError.self) { try JSONEncoder().encode(value) }
        expectEqual(error?.message, "not for pat")
      }
    }

    @Test func `classes that the patch has made conform too`() throws {
      let holder = WatcherHolder()
      var guide: Exhibit?
      try withPatch(
        """
        local Guide = class("Guide", "Bank.Exhibit")
        conform(Guide, "ExhibitWatcher", {
          watched = function(self, amount) return amount * 2 end,
          maker = function(self) return self.owner end,
          get = { seen = function(self) return self.count end },
          set = { seen = function(self, n) self.count = n end },
        })
        function Guide:init(owner) self.super:init{owner = owner} end
        conform("Bank.Exhibit", "ExhibitKeeper", {
          kept = fallback(function(self) return Guide("guide of " .. self.owner) end,
            class("Bank.Exhibit")("nobody")),
        })
        """
      ) {
        let exhibit = Exhibit(owner: "x")
        guide = keptExhibit(exhibit)
        #expect(!holder.adopt(exhibit))
        let made = try #require(guide)
        #expect(holder.adopt(made))
        expectEqual(holder.fire(4), 8)
        expectEqual(holder.see(3), 3)
        expectEqual(holder.maker(), "guide of x")
        expectEqual(faults(), [])
      }
      // They go on with the objects that are alive.
      expectEqual(holder.fire(4), 8)
      let made = try #require(guide)
      #expect(WatcherHolder().adopt(made))
      try WaxwingEngine.restore(now: true)
      expectEqual(holder.fire(4), 0)
      #expect(!WatcherHolder().adopt(made))
    }
  }
}
