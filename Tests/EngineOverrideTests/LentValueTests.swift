// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import PassThrough
import Testing
import Waxwing

/// The value as it is in memory: of a collection or a long text, where its storage is.
private func words<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

extension EngineSuite {
  /// What Lua only passes on is not converted: it needs no memory of Lua's, at any size.
  @Suite struct LentValueTests {
    private let house = Storehouse()
    private let long = String(repeating: "long", count: 20)

    /// Less memory than Lua needs for any of the large values here.
    private func withLittleMemory(_ body: String, _ run: () throws -> Void) throws {
      let patch = """
        patch { limits = { memory = 2000000 } }
        local H, M = class "PassThrough.Storehouse", module "PassThrough"
        local names = "integers decimals flags bytes rows counts text maybe any kept"
        local count = 0
        for name in string.gmatch(names, "%a+") do H[name] = function(self, v) \(body) end end
        function M.grow(a, t, last) return original(a, t, last) end
        function M.stack(shelf, n) return original(shelf, n) end
        function H:twoTexts(a, b) return original(self, b, a) end
        """
      try withPatch(patch) { try run() }
    }

    static let passing = [
      "return original(self, v)",
      "local r = original(self, v) return r",
      "if not self then return v end return original(self, v)",
      "count = count + 1 local name = tostring(count) return original(self, v), nil",
      "local r for i = 1, 12 do count = i end return original(self, original(self, v))",
      "return v",
    ]

    @Test(arguments: passing)
    func `a large value that Lua never looks at takes none of its memory`(body: String) throws {
      let integers = Array(0..<200_000)
      let bytes = [UInt8](repeating: 7, count: 3_000_000)
      let text = String(repeating: "0123456789", count: 300_000)
      let counts = Dictionary(uniqueKeysWithValues: integers.prefix(60_000).map { ($0, [$0]) })
      try withLittleMemory(body) {
        expectEqual(words(house.integers(integers)), words(integers))
        let decimals = integers.map(Double.init)
        expectEqual(words(house.decimals(decimals)), words(decimals))
        let flags = integers.map { $0 % 3 == 0 }
        expectEqual(words(house.flags(flags)), words(flags))
        expectEqual(words(house.bytes(bytes)), words(bytes))
        let rows = [integers, integers]
        expectEqual(words(house.rows(rows)), words(rows))
        expectEqual(words(house.counts(counts)), words(counts))
        expectEqual(words(house.text(text)), words(text))
        let maybe = try house.maybe([text])
        expectEqual(maybe?.count, 1)
        expectEqual(try house.maybe(nil), nil)
        expectEqual(words(house.kept(integers[3..<190_000])), words(integers[3..<190_000]))
        let set = Set(integers)
        expectEqual(words(house.kept(set)), words(set))
        #expect((house.any(integers) as? [Int]).map { words($0) } == words(integers))
        expectEqual(faults(), [])
      }
    }

    @Test func `the memory would not do for a value that Lua looks at`() throws {
      try withLittleMemory("return original(self, v, #v)") {
        _ = house.integers(Array(0..<200_000))
        _ = house.text(String(repeating: "0123456789", count: 300_000))
        expectEqual(faults().count, 2)
      }
    }

    @Test func `large variables, and structs that have large values`() throws {
      var numbers = Array(0..<200_000)
      numbers.reserveCapacity(300_000)
      var text = String(repeating: "0123456789", count: 300_000)
      let place = words(numbers)
      var shelf = Shelf()
      shelf.numbers = Array(0..<200_000)
      shelf.numbers.reserveCapacity(300_000)
      let other = words(shelf.numbers)
      try withLittleMemory("return v") {
        for count in 1..<4 {
          let isInPlace = try grow(&numbers, &text, isLast: false)
          expectEqual(isInPlace, true)
          let isStackedInPlace = stack(&shelf, count)
          expectEqual(isStackedInPlace, true)
        }
        #expect(numbers.count == 200_003 && words(numbers) == place && text.hasSuffix("9!!!"))
        #expect(shelf.numbers.count == 200_003 && words(shelf.numbers) == other)
        expectEqual(house.twoTexts(long, text).utf8.count, long.utf8.count + text.utf8.count + 1)
        expectEqual(faults(), [])
      }
    }

    /// Each looks at what an original returns, or at an argument, in a way that the code hides.
    static let looking = [
      "local r = self[key](self, v) assert(#r > 1) return r",
      "local r = o(self, v) assert(#r > 1) return r",
      "local r = lib.original(self, v) assert(#r > 1) return r",
      "local r = lib.ORIGx(self, v) assert(#r > 1) return r",
      "local original = original local r = original(self, v) assert(#r > 1) return r",
      "local _ENV = { original = original } local r = original(self, v) n = #r return r",
      "local r = (v and original or o)(self, v) assert(#r > 1) return r",
      "local _, r = pcall(original, self, v) assert(#r > 1) return r",
      "local function f() return #v end assert(f() > 1) return original(self, v)",
      "local f = coroutine.wrap(function() return original(self, v) end) assert(#f() > 1) return v",
      "if depth == 0 then depth = 1 local r = again(self, v) depth = 0 assert(#r > 1) return r end "
        + "return original(self, v)",
      "local all = { original(self, v) } assert(#all[1] > 1) return all[1]",
      "local r for _, x in next, { v } do r = x end assert(#r > 1) return original(self, r)",
      "assert(select('#', v) == 1 and #select(1, v) > 1) return original(self, v)",
      "while true do local r = original(self, v) if #r > 1 then return r end end",
      "return (original(self, v .. ''))",
    ]

    @Test(arguments: looking)
    func `what may be looked at is there to be looked at`(body: String) throws {
      try withPatch(
        """
        local H, o, depth = class "PassThrough.Storehouse", original, 0
        local key, lib, again = "ORIGkept", { original = original, ORIGx = original }
        again = function(self, v) \(body) end
        function H:kept(v) if depth < 0 then return again(self, v) end \(body) end
        H.text = function(self, v) local key = "ORIGtext" \(body) end
        """
      ) {
        expectEqual(words(house.text(long)), words(long))
        if !body.contains("..") { expectEqual(words(house.kept([1, 2])).count, 8) }
        if !body.contains("..") { expectEqual(house.kept(["a", "b"]), ["a", "b"]) }
        expectEqual(faults(), [])
      }
    }

    @Test func `originals of other types, and a name that the script has given away`() throws {
      try withPatch(
        """
        local H = class "PassThrough.Storehouse"
        function H:integers(v) return self:ORIGkept(v) end
        function H:decimals(v) return self:ORIGany(v) end
        function H:texts(v) return self:ORIGmaybe(v) end
        function H:pair(v, text) return v, text end
        function H:rows(v) return original(self, v) end
        function H:text(v) return original(self, v) end
        local engines, seen = original, 0
        function original(self, v) seen = seen + #v return engines(self, v) end
        function H:bytes(v) if seen ~= 82 then error(seen) end return v end
        """
      ) {
        expectEqual(house.integers([1, 2, 3]), [1, 2, 3])
        expectEqual(house.decimals([1, 2, 3.5]), [1, 2, 3.5])
        expectEqual(house.texts(["a", long]), ["a", long])
        let (numbers, text) = house.pair([1, 2], long)
        #expect(numbers == [1, 2] && text == long)
        expectEqual(house.rows([[1], [2]]), [[1], [2]])
        expectEqual(house.text(long), long)
        expectEqual(house.bytes([1]), [1])
        expectEqual(faults(), [])
      }
    }

    @Test func `what a script has taken from a call by another original is good for nothing later`()
      throws
    {
      try withPatch(
        """
        local H, engines, kept = class "PassThrough.Storehouse", original, {}
        local function swap()
          function original(self, v) kept[1], original = v, engines return engines(self, v) end
        end
        function H:text(v) swap() return original(self, v) end
        function H:integers(v)
          assert(#v == 2) -- so it is lent nothing of its own
          local isCalled, message = pcall(self.ORIGintegers, self, kept[1])
          assert(not isCalled and message:find("userdata", 1, true), message)
          assert(not pcall(self.ORIGtext, self, kept[1]))
          return original(self, v)
        end
        """
      ) {
        for _ in 0..<3 {
          expectEqual(house.text(long), long)
          expectEqual(house.integers([1, 2]), [1, 2])
        }
        expectEqual(faults(), [])
      }
    }

    @Test func `more values than are lent, and values that are let go`() throws {
      weak var cell: Cell?
      try withPatch(
        """
        local H = class "PassThrough.Storehouse"
        local function again(self, v) local r = v for i = 1, 20 do r = original(self, r) end return r end
        H.cells, H.text, H.integers = again, again, again
        """
      ) {
        do {
          let cells = [Cell(1), Cell(2)]
          cell = cells[0]
          expectEqual(words(house.cells(cells)), words(cells))
        }
        expectEqual(words(house.text(long)), words(long))
        expectEqual(words(house.integers([1, 2])).count, 8)
        expectEqual(house.integers([1, 2]), [1, 2])
        expectEqual(faults(), [])
      }
      expectEqual(cell == nil, true)
    }
  }
}
