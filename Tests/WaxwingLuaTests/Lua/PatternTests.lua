-- SPDX-License-Identifier: MIT
--
-- Patterns. The cases follow `pm.lua` of the official test suite of Lua 5.4 (MIT), without what a
-- sandbox does not have. Returns what failed, a line each.

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

--- The match, by its places.
local function f(s, p)
  local i <const>, e <const> = string.find(s, p)
  if i then return string.sub(s, i, e) end
end

test("empty patterns match everywhere, within the subject", function()
  local a, b = string.find("", "")
  assert(a == 1 and b == 0)
  a, b = string.find("alo", "")
  assert(a == 1 and b == 0)
  a, b = string.find("alo", "", 4)
  assert(a == 4 and b == 3)
  assert(not string.find("alo", "", 5))
  assert(string.find("", "", 1) == 1 and not string.find("", "", 2))
  assert(not string.find("", "aaa", 1) and string.find("", "", -10) == 1)
  assert(("alo(.)alo"):find("(.)", 1, true) == 4)
end)

test("zeros are bytes like others", function()
  local a, b = string.find("a\0o a\0o a\0o", "a", 1)
  assert(a == 1 and b == 1)
  a, b = string.find("a\0o a\0o a\0o", "a\0o", 2)
  assert(a == 5 and b == 7)
  a, b = string.find("a\0o a\0o a\0o", "a\0o", 9)
  assert(a == 9 and b == 11)
  a, b = string.find("a\0a\0a\0a\0\0ab", "\0ab", 2)
  assert(a == 9 and b == 11)
  a, b = string.find("a\0a\0a\0a\0\0ab", "b")
  assert(a == 11 and b == 11)
  assert(not string.find("a\0a\0a\0a\0\0ab", "b\0"))
  assert(not string.find("", "\0") and string.find("alo123alo", "12") == 4)
  assert(not string.find("alo123alo", "^12"))
  assert(string.match("ab\0\1\2c", "[\0-\2]+") == "\0\1\2")
  assert(string.match("ab\0\1\2c", "[\0-\0]+") == "\0" and string.find("b$a", "$\0?") == 2)
  assert(string.find("abc\0efg", "%\0") == 4)
  assert(string.match("abc\0efg\0\1e\1g", "%b\0\1") == "\0efg\0\1e\1")
  assert(string.match("abc\0\0\0", "%\0+") == "\0\0\0")
  assert(string.match("abc\0\0\0", "%\0%\0?") == "\0\0")
end)

test("repetitions take the most or the fewest", function()
  assert(f("aaab", ".*b") == "aaab" and f("aaa", ".*a") == "aaa" and f("aaa", ".*b") == nil)
  assert(f("aaa", ".+a") == "aaa" and not f("aaa", ".+b") and f("aaa", "a.?b") == nil)
  assert(f("aaab", "a.?b") == "aab" and f("aab", ".?.?b") == "aab" and f("a", "a?a?") == "a")
  assert(f("alo xo", ".o$") == "xo" and f(" \n isto é assim", "%S%S*") == "isto")
  assert(f(" \n isto é assim", "%S*$") == "assim")
  assert(f(" \n isto é assim", "[a-z]*$") == "assim")
  assert(f("uma letra ? extra", "[^%sa-z]") == "?")
  assert(f("", "a?") == "" and f("á", "á?") == "á" and f("ábl", "á?b?l?") == "ábl")
  assert(f("  ábl", "á?b?l?") == "ábl" and f("aa", "^aa?a?a") == "aa"
    and f("0alo alo", "%x*") == "0a")
  assert(f("aba", "ab*a") == "aba" and f("aaa", "a-$") == "aaa" and f("aXb", "a-X") == "aX")
  assert(f("alo alo", "%C+") == "alo alo" and f("aaa", "^.-$") == "aaa" and f("aaa", "^.-b") == nil)
  assert(f("aabaaabaaabaaaba", "b-a$") == "ba" and f("aaa", "b*a") == "a")
end)

test("sets", function()
  assert(f("]]]áb", "[^]]") == "\xc3" and f("0123456789", "(.+(.?)())") == "0123456789")
  assert(f("a-b", "[a-]+") == "a-" and f("a-b", "[-a]+") == "a-" and f("x]y", "[]]") == "]")
  assert(f("a%b", "[%%]") == "%" and f("a^b", "[b^]") == "^" and f("a^b", "[^a^]") == "b")
  assert(f("ab]", "[%]]") == "]" and f("[x", "[[]") == "[" and f("b-", "[%a-z]+") == "b-")
  assert(f("z", "[z-a]") == nil and f("+,-", "[+--]+") == "+,-"
    and f("\255", "[\200-\255]") == "\255")
end)

test("classes are those of the C locale", function()
  local function members(class)
    local found <const> = {}
    for code = 0, 255 do
      local c <const> = string.char(code)
      if string.find(c, class) then found[#found + 1] = c end
      assert((string.find(c, class) == nil) == (string.find(c, string.upper(class)) ~= nil))
      assert((string.find(c, class) == nil) == (string.find(c, "[^" .. class .. "]") ~= nil))
    end
    return table.concat(found)
  end
  local letters <const>, digits <const> = "abcdefghijklmnopqrstuvwxyz", "0123456789"
  assert(members("%a") == string.upper(letters) .. letters and members("%l") == letters)
  assert(members("%d") == digits and members("%x") == digits .. "ABCDEFabcdef")
  assert(members("%w") == digits .. string.upper(letters) .. letters)
  assert(members("%s") == "\t\n\v\f\r " and #members("%c") == 33 and members("%z") == "\0")
  assert(#members("%g") == 94 and #members("%p") == 32)
  assert(string.find("jB", "%j") == 1 and string.find("jB", "%B") == 2)
end)

test("captures", function()
  assert(string.match("alo xyzK", "(%w+)K") == "xyz" and string.match("254 K", "(%d*)K") == "")
  assert(string.match("alo ", "(%w*)$") == "" and not string.find("alo ", "(%w+)$"))
  assert(select("#", string.find("(álo)", "%(á")) == 2)
  local a, b, c, d, e = string.match("âlo alo", "^(((.).).* (%w*))$")
  assert(a == "âlo alo" and b == "â" and c == "\xc3" and d == "alo" and e == nil)
  a, b, c, d = string.match("0123456789", "(.+(.?)())")
  assert(a == "0123456789" and b == "" and c == 11 and d == nil)
  a, b = string.match(" xuxu  n", " ()x(u)x")
  assert(a == 2 and b == "u")
  assert(string.match("x", "()()") == 1 and select("#", string.match("x", "()()")) == 2)
  assert(string.match("==========", "^([=]*)=%1$") == nil)
  assert(string.match("=======", "^([=]*)=%1$") == "===")
  assert(string.find("aba", "(a)b%1") == 1 and string.find("x()", "()%(%)") == 2)
  assert(not string.find("xx", "()x%1"))
end)

test("balanced text and frontiers", function()
  assert(string.gsub("alo 'oi' alo", "%b''", '"') == 'alo " alo')
  assert(f("f(a(b)c) (", "%b()") == "(a(b)c)" and f("((a)", "%b()") == "(a)"
    and f("(", "%b()") == nil)
  assert(string.gsub("aaa aa a aaa a", "%f[%w]%a", "x") == "xaa xa x xaa x")
  assert(string.gsub("[[]] [][] [[[[", "%f[[].", "x") == "x[]] x]x] x[[[")
  assert(string.gsub("01abc45de3", "%f[%d]", ".") == ".01abc.45de.3")
  assert(string.gsub("01abc45 de3x", "%f[%D]%w", ".") == "01.bc45 de3.")
  assert(string.gsub("function", "%f[\1-\255]%w", ".") == ".unction")
  assert(string.gsub("function", "%f[^\1-\255]", ".") == "function.")
  assert(string.find("a", "%f[a]") == 1 and string.find("a", "%f[^%z]") == 1)
  assert(string.find("a", "%f[^%l]") == 2 and string.find("aba", "%f[a%z]") == 3)
  assert(string.find("aba", "%f[%z]") == 4 and not string.find("aba", "%f[%l%z]", 2))
  local i, e = string.find(" alo aalo allo", "%f[%S].-%f[%s].-%f[%S]")
  assert(i == 2 and e == 5)
  local found <const> = {}
  for k in string.gmatch("alo alo th02 is 1hat", "()%f[%w%d]") do found[#found + 1] = k end
  assert(table.concat(found, ",") == "1,5,9,14,17")
end)

test("gsub by text", function()
  assert(string.gsub("ülo ülo", "ü", "x") == "xlo xlo")
  assert(string.gsub("alo úlo  ", " +$", "") == "alo úlo")
  assert(string.gsub("  alo alo  ", "^%s*(.-)%s*$", "%1") == "alo alo")
  assert(string.gsub("alo  alo  \n 123\n ", "%s+", " ") == "alo alo 123 ")
  assert(string.gsub("abç d", "(.)", "%1@") == "a@b@\xc3@\xa7@ @d@")
  assert(string.gsub("abcd", "(.)", "%0@", 2) == "a@b@cd")
  assert(string.gsub("alo alo", "()[al]", "%1") == "12o 56o")
  assert(string.gsub("abc=xyz", "(%w*)(%p)(%w+)", "%3%2%1-%0") == "xyz=abc-abc=xyz")
  assert(string.gsub("abc", "%w", "%1%0") == "aabbcc"
    and string.gsub("abc", "%w+", "%0%1") == "abcabc")
  assert(string.gsub("áéí", "$", "\0óú") == "áéí\0óú"
    and string.gsub("", "^", "r") == "r")
  assert(string.gsub("", "$", "r") == "r" and string.gsub("um (dois)", "%(%w+%)", "%%") == "um %")
  assert(string.gsub("abc", "", "-") == "-a-b-c-" and string.gsub("abc", "b*", "-") == "-a-c-")
  local s, n = string.gsub("aaa aa", "^a", "b")
  assert(s == "baa aa" and n == 1)
  s, n = string.gsub("hello", "l", "L", 0)
  assert(s == "hello" and n == 0)
  assert(string.gsub("a b cd", " *", "-") == "-a-b-c-d-"
    and select(2, ("x"):rep(99):gsub("x", "%%")) == 99)
end)

test("gsub by function and by table", function()
  assert(string.gsub("um (dois) tres (quatro)", "(%(%w+%))",
    string.upper) == "um (DOIS) tres (QUATRO)")
  local found <const> = {}
  local result <const> = string.gsub("a=roberto,roberto=a", "(%w+)=(%w%w*)", function(n, v)
    found[#found + 1] = n .. v
  end)
  assert(result == "a=roberto,roberto=a" and table.concat(found, ";") == "aroberto;robertoa")
  local t <const> = { apple = "malus", [1] = "one", x = false }
  assert(string.gsub("an apple x", "%w+", t) == "an malus x"
    and string.gsub("abc", "()b", { [2] = 7 }) == "a7c")
  local lazy <const> = setmetatable({}, { __index = function(_, key) return "<" .. key .. ">" end })
  assert(string.gsub("a b", "%a", lazy) == "<a> <b>")
  assert(string.gsub("abc", "%w", function() return nil end) == "abc")
  assert(string.gsub("abc", ".", function(c) return c == "b" and 2 end) == "a2c")
  local function rev(s)
    return (string.gsub(s, "(.)(.+)", function(c, rest) return rev(rest) .. c end))
  end
  assert(rev("0123456789") == "9876543210")
end)

test("a function may match meanwhile, with more patterns than are kept", function()
  local function deep(level)
    return (string.gsub("a-b-c", "(%a)-?", function(letter)
      for i = 1, 100 do
        assert(string.match("x" .. i, "^x(" .. i .. ")$") == tostring(i))
        assert(string.gsub("y" .. i, "y" .. i, "") == "")
      end
      return level > 1 and deep(level - 1) or letter
    end))
  end
  assert(deep(1) == "abc" and deep(3) == ("abc"):rep(9))
end)

test("gmatch", function()
  local found = {}
  for i in string.gmatch("abcde", "()") do found[#found + 1] = i end
  assert(table.concat(found, ",") == "1,2,3,4,5,6")
  found = {}
  for w in string.gmatch("first second word", "%w+") do found[#found + 1] = w end
  assert(table.concat(found, ",") == "first,second,word")
  found = {}
  for i in string.gmatch("xuxx uu ppar r", "()(.)%2") do found[#found + 1] = i end
  assert(table.concat(found, ",") == "3,6,9")
  found = {}
  for k, v in string.gmatch("13 14 10 = 11, 15= 16, 22=23", "(%d+)%s*=%s*(%d+)") do
    found[#found + 1] = k .. "=" .. v
  end
  assert(table.concat(found, ",") == "10=11,15=16,22=23")
  local next_match <const> = string.gmatch("abc", "^a")
  assert(next_match() == nil and next_match() == nil)
  assert(string.gmatch("x^ay", "^a")() == "^a")
  found = {}
  for k in string.gmatch("10 20 30", "%d+", 3) do found[#found + 1] = k end
  assert(table.concat(found, ",") == "20,30")
  found = {}
  for k in string.gmatch("11 21 31", "%d+", -4) do found[#found + 1] = k end
  assert(table.concat(found, ",") == "1,31")
  for _ in string.gmatch("", "%w", 100) do error("there is nothing") end
end)

test("a coroutine may be left within a gmatch", function()
  for _ = 1, 50 do
    local co <const> = coroutine.create(function()
      for w in string.gmatch("one two three", "%a+") do coroutine.yield(w) end
    end)
    assert(select(2, coroutine.resume(co)) == "one")
    assert(select(2, coroutine.resume(co)) == "two")
  end
end)

test("malformed patterns are errors once a match comes there", function()
  local function malformed(p, message) fails(message or "malformed pattern", string.find, "a",
    p) end
  malformed("(.", "unfinished capture")
  malformed(".)", "invalid pattern capture")
  malformed("[a", "malformed pattern (missing ']')")
  malformed("[]", "malformed pattern (missing ']')")
  malformed("[^]", "malformed pattern (missing ']')")
  malformed("[a%]", "malformed pattern (missing ']')")
  malformed("[a%", "malformed pattern (missing ']')")
  malformed("%b", "malformed pattern (missing arguments to '%b')")
  malformed("%ba", "malformed pattern (missing arguments to '%b')")
  malformed("%", "malformed pattern (ends with '%')")
  malformed("%f", "missing '[' after '%f' in pattern")
  malformed("%1", "invalid capture index %1")
  malformed("(%1", "invalid capture index %1")
  malformed("%0", "invalid capture index %0")
  assert(not string.find("a", "b[") and not string.find("a", "b%") and string.find("a)", ")") == 2)
  fails("too many captures", string.find, "a", string.rep("(", 33) .. "a")
  assert(select("#", string.find(("a"):rep(32), ("(a)"):rep(32))) == 34)
end)

test("errors of gsub", function()
  fails("invalid replacement value (a table)", string.gsub, "alo", ".", { a = {} })
  fails("invalid capture index %2", string.gsub, "alo", ".", "%2")
  fails("invalid capture index %0", string.gsub, "alo", "(%0)", "a")
  fails("invalid capture index %1", string.gsub, "alo", "(%1)", "a")
  fails("invalid use of '%' in replacement string", string.gsub, "alo", ".", "%x")
  fails("invalid use of '%' in replacement string", string.gsub, "alo", ".", "x%")
  fails("string/function/table expected", string.gsub, "alo", ".", true)
  fails("string expected, got no value", string.gsub, "alo")
  assert(string.gsub("alo", "(a", "x") == "xlo")
  fails("unfinished capture", string.gsub, "alo", "(a", "%1")
  fails("mine", string.gsub, "alo", ".", function() error("mine") end)
end)

test("long subjects and long patterns", function()
  local a <const> = string.rep("a", 300000)
  assert(string.find(a, "^a*.?$") and not string.find(a, "^a*.?b$") and string.find(a, "^a-.?$"))
  assert(#string.gsub(string.rep("a", 10000) .. string.rep("b", 10000), "b", "") == 10000)
  local function match(size)
    return pcall(string.match, string.rep("a", size), string.rep(".?", size))
  end
  local done <const>, found <const> = match(80)
  assert(done and #found == 80)
  local refused <const>, message <const> = match(200000)
  assert(not refused and string.find(message, "too complex"))
  local text <const> = string.rep("0123456789", 100)
  assert(string.match("x" .. text .. "y", "x(" .. text .. ")y") == text)
  assert(string.find(text, "[" .. string.rep("a-z", 100) .. "9]") == 10)
end)

return table.concat(failures, "\n")
