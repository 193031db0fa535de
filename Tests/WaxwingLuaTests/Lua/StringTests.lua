-- SPDX-License-Identifier: MIT
--
-- Strings. The cases follow `strings.lua` and `tpack.lua` of the official test suite of Lua 5.4
-- (MIT), without what a sandbox does not have. Returns what failed, a line each.

local failures <const> = {}

local function test(name, body)
  local passed <const>, message <const> = pcall(body)
  if not passed then failures[#failures + 1] = name .. ": " .. tostring(message) end
end

local function fails(message, f, ...)
  local passed <const>, found <const> = pcall(f, ...)
  if passed then error("no error: " .. message, 2) end
  if not string.find(found, message, 1, true) then error("found: " .. found, 2) end
end

test("sub", function()
  local s <const> = "123456789"
  assert(s:sub(2, 4) == "234" and s:sub(7) == "789" and s:sub(7, 6) == "" and s:sub(7, 7) == "7")
  assert(s:sub(0, 0) == "" and s:sub(-10, 10) == s and s:sub(1, 9) == s and s:sub(-10, -20) == "")
  assert(s:sub(-1) == "9" and s:sub(-4) == "6789" and s:sub(-6, -4) == "456")
  assert(s:sub(math.mininteger, -4) == "123456" and s:sub(math.mininteger, math.maxinteger) == s)
  assert(s:sub(math.mininteger, math.mininteger) == "" and ("\0" .. s):sub(3, 5) == "234")
end)

test("find of plain text", function()
  assert(("123456789"):find("345") == 3 and ("1234567890123456789"):find("345", 4) == 13)
  assert(not ("1234567890123456789"):find("346", 4)
    and ("1234567890123456789"):find(".45", -9) == 13)
  assert(not ("abcdefg"):find("\0", 5, true) and ("a.b"):find(".", 1, true) == 2)
  assert(("").find("", "") == 1 and ("").find("", "", 1) == 1 and not ("").find("", "", 2))
  assert(("alo"):find("", 4) == 4 and ("a+b"):find("+", 1, true) == 2)
end)

test("bytes and characters", function()
  assert(("a"):byte() == 97 and ("\xe4"):byte() > 127 and ("\0"):byte() == 0)
  assert(("\0\0alo\0x"):byte(-1) == 120 and ("hi"):byte(-1) == 105 and ("hi"):byte(-5) == nil)
  assert(select("#", ("hi"):byte(3)) == 0 and select("#", ("abc"):byte(1, -1)) == 3)
  assert(string.char() == "" and string.char(0, 255, 0) == "\0\255\0")
  assert(string.char(("\xe4lo"):byte(1, -1)) == "\xe4lo")
  fails("value out of range", string.char, 256)
  fails("value out of range", string.char, -1)
end)

test("upper, lower, reverse, len, rep", function()
  assert(("ab\0c"):upper() == "AB\0C" and ("\0ABCc%$"):lower() == "\0abcc%$")
  assert(("teste"):rep(0) == "" and ("tés\00tê"):rep(2) == "tés\0têtés\000tê"
    and (""):rep(10) == "")
  assert(("teste"):rep(0, "xuxu") == "" and ("teste"):rep(1, "xuxu") == "teste")
  assert(("\1\0\1"):rep(2, "\0\0") == "\1\0\1\0\0\1\0\1" and (""):rep(10, "."):len() == 9)
  assert((""):reverse() == "" and ("\0\1\2\3"):reverse() == "\3\2\1\0"
    and ("abc"):reverse() == "cba")
  for i = 0, 30 do assert(("a"):rep(i):len() == i) end
  fails("resulting string too large", string.rep, "aa", 1 << 62)
end)

test("format", function()
  assert(("%x"):format(0xff) == "ff" and ("%02x%.3d"):format(12, 7) == "0c007")
  assert(("%q"):format('"\\\n\0') == '"\\"\\\\\\\n\\0"'
    and ("%q"):format("\0\0011") == '"\\0\\0011"')
  assert(("%-10s|%5s|%.2s"):format("ab", "cd", "efg") == "ab        |   cd|ef")
  assert(("%s %s"):format(nil, true) == "nil true" and ("%%%d"):format(10) == "%10")
  assert(("%5.2f|%g|%e"):format(3.14159, 100, 1) == " 3.14|100|1.000000e+00")
  assert(("%s"):format(setmetatable({}, { __tostring = function() return "mine" end })) == "mine")
  assert(("%c%c\0%c"):format(65, 0, 66) == "A\0\0B"
    and ("%q"):format(math.mininteger) == "0x8000000000000000")
  fails("no value", string.format, "%d")
  fails("invalid conversion", string.format, "%t", 10)
  fails("number has no integer representation", string.format, "%d", 2.5)
end)

test("pack and unpack", function()
  for size = 1, 16 do
    local packed <const> = string.pack("<i" .. size, -3)
    assert(#packed == size and string.unpack("<i" .. size, packed) == -3)
    assert(string.pack(">i" .. size, -3) == packed:reverse())
  end
  assert(string.pack("<I2I4", 1, 2) == "\1\0\2\0\0\0" and string.packsize("<!4 b i4") == 8)
  assert(string.unpack("z", "hello\0rest") == "hello" and string.pack("s1", "abc") == "\3abc")
  assert(select(2, string.unpack("<i2", "\1\2\3")) == 3 and string.pack("c5", "ab") == "ab\0\0\0")
  assert(string.unpack("<d", string.pack("<d", 0.5)) == 0.5
    and string.pack("<!4 i1 Xi4", 1) == "\1\0\0\0")
  fails("data string too short", string.unpack, "<i4", "abc")
  fails("overflow", string.pack, "<i1", 200)
  fails("out of limits", string.pack, "i17", 1)
end)

return table.concat(failures, "\n")
