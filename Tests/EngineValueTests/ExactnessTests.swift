// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Testing
import Waxwing

extension EngineSuite {
  /// Values at the limits of their types: the value, or an error that says what is wrong.
  @Suite struct ExactnessTests {
    private let values = Values()

    /// Runs Lua code that calls the methods of `self`, a `Bank.Values`.
    private func run(_ lua: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let patch = """
        local V = class "Bank.Values"
        local function refused(message, f, ...)
          local ok, error = pcall(f, ...)
          assert(not ok, "not refused: " .. message)
          assert(tostring(error):find(message, 1, true), tostring(error))
        end
        function V:nothing()
        \(lua)
        end
        """
      try withPatch(patch) {
        values.nothing()
        #expect(faults() == [], sourceLocation: sourceLocation)
        #expect(patches().first?.overrides.first?.calls == 1, sourceLocation: sourceLocation)
      }
    }

    @Test func `integers within the limits are exact, beyond them errors`() throws {
      try run(
        """
        for _, bits in ipairs { 8, 16, 32 } do
          local signed, unsigned = "int" .. bits, "uint" .. bits
          local max = (1 << (bits - 1)) - 1
          for _, n in ipairs { -max - 1, -max, -1, 0, 1, max } do
            assert(self[signed](self, n) == n and math.type(self[signed](self, n)) == "integer")
          end
          refused("expected Int" .. bits, self[signed], self, max + 1)
          refused("expected Int" .. bits, self[signed], self, -max - 2)
          for _, n in ipairs { 0, 1, 2 * max + 1 } do assert(self[unsigned](self, n) == n) end
          refused("expected UInt" .. bits, self[unsigned], self, 2 * max + 2)
          refused("expected UInt" .. bits, self[unsigned], self, -1)
        end
        for _, name in ipairs { "int", "int64" } do
          for _, n in ipairs { math.mininteger, -1, 0, (1 << 53) + 1, math.maxinteger } do
            assert(self[name](self, n) == n)
          end
          refused("expected Int", self[name], self, 2^63)
          refused("expected Int", self[name], self, -2^63 * 1.5)
          refused("expected Int", self[name], self, self:uint64(math.maxinteger) + 0.5)
        end
        for _, name in ipairs { "uint", "uint64" } do
          for _, n in ipairs { 0, 1, math.maxinteger } do assert(self[name](self, n) == n) end
          refused("expected UInt", self[name], self, -1)
          refused("expected UInt", self[name], self, math.mininteger)
          refused("expected UInt", self[name], self, 2^64)
          local large = self[name](self, 2^63)
          assert(tostring(large) == "9223372036854775808", tostring(large))
          assert(self[name](self, large) == large and large > math.maxinteger)
          refused("expected Int", self.int, self, large)
        end
        """)
    }

    @Test func `no number is a boolean, no string a number, nil only an optional`()
      throws
    {
      try run(
        """
        assert(self:bool(true) == true and self:bool(false) == false)
        for _, wrong in ipairs { 0, 1, 0.0, "true", "", {} } do
          refused("expected Bool", self.bool, self, wrong)
        end
        for _, wrong in ipairs { "123", "1e3", "", "0x10", true, {} } do
          refused("expected Int", self.int, self, wrong)
          refused("expected Double", self.double, self, wrong)
          refused("expected Float", self.float, self, wrong)
        end
        for _, wrong in ipairs { 12, 1.5, true, {} } do
          refused("expected String", self.string, self, wrong)
        end
        for _, name in ipairs { "int", "uint8", "bool", "double", "float", "string", "object",
          "ints", "counts", "point", "kind" } do
          refused("got nil", self[name], self, nil)
          refused("got nothing; the program has no code for a default value of it", self[name], self)
        end
        """)
    }

    @Test func `a float is an integer if it is integral and in range, and the other way round`()
      throws
    {
      try run(
        """
        assert(self:int(3.0) == 3 and math.type(self:int(3.0)) == "integer")
        assert(self:int(-0.0) == 0 and self:int8(-128.0) == -128)
        assert(self:int(-2^63) == math.mininteger and self:uint64(2^63) > 0)
        for _, wrong in ipairs { 0.5, -1e-300, 1/0, -1/0, 0/0, 1e300 } do
          refused("expected Int", self.int, self, wrong)
          refused("expected UInt64", self.uint64, self, wrong)
        end
        refused("expected Int8", self.int8, self, 128.0)
        assert(self:double(3) == 3.0 and math.type(self:double(3)) == "float")
        assert(self:double(1 << 53) == 2.0^53)
        refused("expected Double", self.double, self, (1 << 53) + 1)
        refused("expected Double", self.double, self, math.maxinteger)
        assert(self:float(1 << 24) == 2.0^24)
        refused("expected Float", self.float, self, (1 << 24) + 1)
        assert(self:float(0.1) ~= 0.1 and self:float(self:float(0.1)) == self:float(0.1))
        refused("expected Float", self.float, self, 1e39)
        """)
    }

    @Test func `zeros keep their sign, infinities and NaNs are themselves`() throws {
      try run(
        """
        local bits = function(x) return string.unpack("<i8", string.pack("<d", x)) end
        for _, name in ipairs { "double", "float" } do
          for _, x in ipairs { 0.0, -0.0, 1.5, 1/0, -1/0, 2.0^-149 } do
            assert(bits(self[name](self, x)) == bits(x), name .. " " .. x)
          end
        end
        for _, pattern in ipairs { 0x7ff8000000000000, 0x7ff80000deadbeef, 0x7ff0000000000001,
          -1, math.maxinteger } do
          local nan = string.unpack("<d", string.pack("<i8", pattern))
          assert(nan ~= nan and bits(self:double(nan)) == pattern)
        end
        """)
    }

    @Test func `strings of every kind, and bytes that are none`() throws {
      try run(
        #"""
        for _, text in ipairs { "", "x", ("y"):rep(15), ("z"):rep(16), ("k"):rep(1024),
          ("\0"):rep(3), "a\0b", "tab\tand \"quote\" \\", "two\nlines\r\n", "日本語", "🦜👨‍👩‍👧‍👦",
          "e\u{301} and \u{e9}", "\u{10FFFF}" } do
          assert(self:string(text) == text)
          assert(self:substring(text) == text)
          assert(self:optionalString(text) == text)
          assert(self:octets(text) == text)
        end
        for _, bytes in ipairs { "\xff", "a\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80" } do
          refused("not valid UTF-8", self.string, self, bytes)
          refused("", self.substring, self, bytes)
          refused("", self.counts, self, { [bytes] = 1 })
          assert(self:octets(bytes) == bytes)
        end
        for _, character in ipairs { "a", "\0", "e\u{301}", "👨‍👩‍👧‍👦", "\r\n" } do
          assert(self:character(character) == character)
        end
        refused("expected Character", self.character, self, "")
        refused("expected Character", self.character, self, "ab")
        """#)
    }

    @Test func `nil at every position, trailing ones too`() throws {
      try run(
        """
        local function many(g, k) return self:many(1, 2.5, 3.5, "four", -5, true, g, 8, {9}, 10, k) end
        assert(many(nil, nil) == "1 2.5 3.5 four -5 true nil 8.0 [9] 10 nil")
        assert(many(7, nil) == "1 2.5 3.5 four -5 true 7 8.0 [9] 10 nil")
        assert(many(nil, "k") == "1 2.5 3.5 four -5 true nil 8.0 [9] 10 k")
        assert(self:many(1, 2.5, 3.5, "four", -5, true, 7, 8, {9}, 10)
          == "1 2.5 3.5 four -5 true 7 8.0 [9] 10 nil")
        assert(self:optionalInt(nil) == nil and self:optionalInt() == nil)
        assert(select("#", self:optionalInt(nil)) == 1)
        """)
    }

    @Test func `a string from Swift has Lua's methods, and String's by name`() throws {
      try run(
        """
        local text = self:string("12345")
        assert(typeof(text) == "string" and #text == 5 and text:sub(1, 2) == "12")
        assert(String.hasPrefix(text, "12") and not String.hasPrefix(text, "23"))
        local characters = self:string("e\u{301}🦜")
        assert(#characters == 7 and utf8.len(characters) == 3)
        """)
    }

    @Test func `strings and integers from Swift are Lua's own`() throws {
      try run(
        """
        assert(type(self:string("hello")) == "string")
        assert(math.type(self:int(7)) == "integer" and math.type(self:double(7)) == "float")
        local object = self:optionalObject(nil)
        assert(object == nil)
        """)
    }

    @Test func `tables are sequences or dictionaries, and errors have the path`()
      throws
    {
      try run(
        """
        assert(#self:ints {} == 0 and next(self:counts {}) == nil)
        refused("[2] is missing", self.ints, self, { 1, nil, 3 })
        refused("it has the key x", self.ints, self, { 1, x = 2 })
        refused("expected Int at [2][1]", self.nested, self, { { 1 }, { "x" } })
        refused("expected String as key at [1]", self.counts, self, { "x" })
        refused("expected Int at a.b[2]", self.tree, self, { a = { b = { 1, "x" } } })
        local cycle = {}
        cycle.a = cycle
        refused("contains itself", self.record, self, cycle)
        local deep = 1
        for _ = 1, 1000 do deep = { deep } end
        refused("nested too deeply", self.anything, self, deep)
        """)
    }

    @Test func `integers wrap and compare as Swift's do with &+`() throws {
      try run(
        """
        local max, min = math.maxinteger, math.mininteger
        assert(self:int(max + 1) == min and self:int(min - 1) == max and self:int(min * -1) == min)
        assert(self:int64(max * 2) == -2 and self:int64(min // -1) == min and min % -1 == 0)
        assert(self:int(max) > self:int(min) and max < 2^63 and min <= -2^63)
        local large = self:uint64(2^63)
        assert(large > max and not (large < max) and large >= large and large ~= max)
        assert(tostring(large - 1) == "9223372036854775807" and self:int(large - 1) == max)
        """)
    }

    @Test func `a throwing method called ten times throws ten errors, and leaks nothing`()
      throws
    {
      try run(
        """
        local thrown = 0
        for i = 1, 10 do
          local ok, error = pcall(self["exchange(_:_:_:by:)"], self, i, "text", self:point { x = 1, y = 2 }, -1)
          if not ok and tostring(error):find("closed") then thrown = thrown + 1 end
        end
        assert(thrown == 10, thrown)
        """)
    }
  }
}
