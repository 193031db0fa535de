-- SPDX-License-Identifier: MIT
--
-- A part of the cases is of JSONTestSuite by Nicolas Seriot: what has to be read (y), what must not (n).

local spec <const> = require "spec"
local json <const> = require "json"
local describe <const>, it <const>, equal <const> = spec.describe, spec.it, spec.equal

describe("decode", function()
  it("reads what is JSON", function()
    for text, value in next, {
      ['[[]   ]'] = { {} }, ['[""]'] = { "" }, ['[]'] = {}, ['["a"]'] = { "a" }, ['[false]'] = { false },
      ['[1\n]'] = { 1 }, [' [1]'] = { 1 }, ['[2] '] = { 2 }, ['[123e65]'] = { 123e65 },
      ['[0e+1]'] = { 0.0 }, ['[0e1]'] = { 0.0 }, ['[ 4]'] = { 4 }, ['[20e1]'] = { 200.0 },
      ['[-123]'] = { -123 }, ['[-1]'] = { -1 }, ['[1E22]'] = { 1e22 }, ['[1E-2]'] = { 0.01 },
      ['[123.456e78]'] = { 123.456e78 }, ['{"asd":"sdf"}'] = { asd = "sdf" }, ['{}'] = {},
      ['{"a":"b","a":"c"}'] = { a = "c" }, ['{"":0}'] = { [""] = 0 }, ['{"a":[]}'] = { a = {} },
      ['{\n"a": "b"\n}'] = { a = "b" }, ['["\\u0060\\u012a\\u12AB"]'] = { "\u{60}\u{12a}\u{12ab}" },
      ['["\\uD801\\udc37"]'] = { "\u{10437}" }, ['["\\"\\\\\\/\\b\\f\\n\\r\\t"]'] = { '"\\/\b\f\n\r\t' },
      ['["\\u0000"]'] = { "\0" }, ['["a/*b*/c/*d//e"]'] = { "a/*b*/c/*d//e" }, ['["\127"]'] = { "\127" },
      ['["π"]'] = { "π" }, ['"asd"'] = "asd", ['false'] = false, ['42'] = 42, ['-0.1'] = -0.1,
      ['true'] = true, ['""'] = "", [' [] '] = {}, ['["\\uFFFF"]'] = { "\u{ffff}" },
    } do
      equal(json.decode(text), value)
    end
    equal(json.decode("null") == null, true)
  end)

  it("refuses what is not", function()
    for _, text in ipairs {
      '[1 true]', '["": 1]', '[""],', '[,1]', '[1,,2]', '["x",,]', '["x"]]', '["",]', '["x"', '[x',
      '[3[4]]', '[1:2]', '[,]', '[-]', '[   , ""]', '[*]', '[""', '[1,', '[1,\n1\n,1', '[{}',
      '[fals]', '[nul]', '[tru]', '[++1234]', '[+1]', '[+Inf]', '[-01]', '[-1.0.]', '[-2.]', '[-NaN]',
      '[.-1]', '[.2e-3]', '[0.1.2]', '[0.3e+]', '[0.3e]', '[0.e1]', '[0E]', '[0E+]', '[1.0e]',
      '[1 000.0]', '[1eE2]', '[2.e3]', '[9.e+]', '[Inf]', '[NaN]', '[1+2]', '[0x1]', '[0x42]',
      '[Infinity]', '[-Infinity]', '[-foo]', '[- 1]', '[-012]', '[-.123]', '[1ea]', '[1.]', '[.123]',
      '[1.2a-3]', '[1.8011670033376514H-308]', '[012]', '["x", truth]', '{[: "x"}\n', '{"x", null}',
      '{"x"::"b"}', '{"a":"a" 123}', '{key: \'value\'}', '{"a" b}', '{:"b"}', '{"a" "b"}', '{"a":',
      '{"a"', '{1:1}', '{9999E9999:1}', '{null:null}', '{"id":0,,,,,}', "{'a':0}", '{"id":0,}',
      '{"a":"b"}/**/', '{"a":"b"}//', '{"a":"b",,"c":"d"}', '{a: "b"}', '{"a":"a', '{ "foo" : "bar", "a" }',
      '{"a":"b"}#', ' ', '', '["\\uD800\\"]', '["\\uD800\\u"]', '["\\uD800\\u1"]', '["\\uD800\\u1x"]',
      '["\\x00"]', '["\\\\\\"]', '["\\\t"]', '["\\u00A"]', '["\\uqqqq"]', '["\\a"]', '["\\', '["asd',
      '["new\nline"]', '["\t"]', '"\\UA66D"', '<.>', '[<null>]', '[1]x', '[1]]', '["asd]', 'aå', '[True]',
      '1]', '{"x": true,', '[][]', ']', '{}}', '{"":', '{"a":/*comment*/"b"}', '{"a": true} "x"',
      "['", '[', '[,', '[{', '["a', '["a"', '{', '{]', '{,', '{[', '{"a', "{'a'", '*', '[\\u0061]', '[⁠]',
      '\u{feff}[]', '["\xff"]', '["\\uD834"]', '["\\uDFAA"]', '[1e999]', '["\xed\xa0\x80"]',
    } do
      equal({ text, (pcall(json.decode, text)) }, { text, false })
    end
  end)

  it("keeps integers exact, and floats floats", function()
    equal(json.decode("9223372036854775807"), math.maxinteger)
    equal(json.decode("-9223372036854775808"), math.mininteger)
    equal(json.decode("1.0"), 1.0)
    equal(json.decode("-0"), -0.0)
    equal(json.decode("9223372036854775808"), 2.0 ^ 63)
    spec.raises("9223372036854775808 does not fit 64 bits", json.decode, "9223372036854775808",
      { integers = "error" })
  end)

  it("tells empty arrays and objects apart", function()
    equal(json.encode(json.decode('{"a":[],"b":{},"c":[[]]}')), '{"a":[],"b":{},"c":[[]]}')
  end)

  it("says where a mistake is, and what was expected", function()
    spec.raises("line 3, column 8: expected ',' or '}', found 'x'", json.decode, '{\n"a": 1,\n"ü": 2 x}')
    spec.raises("line 1, column 2: expected a value, the text ends", json.decode, "[")
    spec.raises("line 1, column 2: expected a key in quotation marks, found 'a'", json.decode, "{a:1}")
    spec.raises("line 1, column 4: \\ud800 is half of a character", json.decode, '["a\\ud800"]')
    spec.raises("the text is not UTF-8 from here on", json.decode, '["\xff"]')
    spec.raises("decode takes a string, not a nil", json.decode)
  end)

  it("reads no deeper than it may", function()
    spec.raises("more than 200 levels", json.decode, string.rep("[", 1000))
    spec.raises("more than 2 levels", json.decode, "[[[]]]", { depth = 2 })
    equal(json.decode("[[]]", { depth = 2 }), { {} })
  end)

  it("puts what it is told for null", function()
    equal(json.decode('{"a":null}', { null = false }), { a = false })
  end)
end)

describe("encode", function()
  it("writes every kind of value", function()
    equal(json.encode { 1, 2.5, "x", true, null }, '[1,2.5,"x",true,null]')
    equal(json.encode { b = 1, a = { c = false } }, '{"a":{"c":false},"b":1}')
    equal(json.encode("ü\n\0\"\\\u{1f600}"), '"ü\\n\\u0000\\"\\\\😀"')
    equal(json.encode(nil), "null")
    equal(json.encode {}, "{}")
    equal(json.encode(json.array()), "[]")
    equal(json.encode(json.object()), "{}")
  end)

  it("writes numbers that read back the same", function()
    for _, number in ipairs { 0, -1, math.maxinteger, math.mininteger, 0.1, 1 / 3, 1e300, 5e-324, 1.0, -0.0 } do
      equal(json.decode(json.encode(number)), number)
    end
    equal(json.encode(1.0), "1.0")
  end)

  it("indents", function()
    equal(json.encode({ a = { 1, 2 }, b = {} }, { indent = 2 }),
      '{\n  "a": [\n    1,\n    2\n  ],\n  "b": {}\n}')
    equal(json.encode({ 1 }, { indent = "\t" }), "[\n\t1\n]")
  end)

  it("refuses what JSON has not, and says where", function()
    local loop <const> = { a = {} }
    loop.a.b = { loop }
    spec.raises("a table contains itself at a.b[1]", json.encode, loop)
    spec.raises("JSON has no inf at x", json.encode, { x = math.huge })
    spec.raises("JSON has no nan", json.encode, 0 / 0 ~= 0 / 0 and -(0 / 0) or 0)
    spec.raises("JSON has no function; make a table of it at f", json.encode, { f = print })
    spec.raises("a list has holes: 2 elements up to 3; put null into them", json.encode, { 1, nil, 3 })
    spec.raises("both positions and names", json.encode, { 1, a = 2 })
    spec.raises("a key is a string, not a boolean", json.encode, { [true] = 1 })
    spec.raises("a key is a string, not a number", json.encode, { [0] = 1 })
    spec.raises("a string is not UTF-8, from its byte 2 on at s", json.encode, { s = "a\xff" })
    spec.raises("more than 200 levels", json.encode, (function()
      local value = {}
      for _ = 1, 300 do value = { value } end
      return value
    end)())
  end)

  it("writes a table twice that occurs twice", function()
    local shared <const> = { 1 }
    equal(json.encode { shared, shared }, "[[1],[1]]")
  end)

  it("names what it cannot mark", function()
    spec.raises("array takes a table, not a number", json.array, 1)
    spec.raises("the table has a metatable of its own", json.object, setmetatable({}, {}))
    spec.raises("the table is marked as json.array already", json.object, json.array {})
  end)
end)

describe("Wax's cases of JSON:", function()
  it("numbers, null, floats, booleans, strings and empty tables are parsed", function()
    for text, value in next, {
      ["123"] = 123, ["1.23"] = 1.23, ["true"] = true, ["false"] = false, ['"hello world"'] = "hello world",
      ['"hello\\nworld"'] = "hello\nworld", ["[]"] = {}, ["{}"] = {},
    } do
      equal({ text, json.decode(text) }, { text, value })
    end
    equal({ json.decode("null", { null = false }), json.decode("null") == null }, { false, true })
  end)

  it("a complex structure is parsed", function()
    local text <const> = '{"num":123,"str":"hi","bool":true,"invalid":false,"array":["a",1,false],'
      .. '"nested":{"key":"val"}}'
    equal(json.decode(text), {
      num = 123, str = "hi", bool = true, invalid = false, array = { "a", 1, false }, nested = { key = "val" },
    })
  end)

  it("null, numbers, booleans, tables and lists are generated", function()
    equal({ json.encode(nil), json.encode(123), json.encode(12.34), json.encode(false), json.encode(true) },
      { "null", "123", "12.34", "false", "true" })
    equal({ json.encode {}, json.encode { "a", 2, false } }, { "{}", '["a",2,false]' })
    equal(json.encode { a = 1, b = 2.3, c = 4 }, '{"a":1,"b":2.3,"c":4}')
    equal(json.encode { bool = false, valid = true, array = { 1, 2, 3, "4" }, tbl = { k = "v", f = 1.2 } },
      '{"array":[1,2,3,"4"],"bool":false,"tbl":{"f":1.2,"k":"v"},"valid":true}')
  end)

  it("deeply nested tables and lists are generated", function()
    equal(json.encode { a = { b = { c = { d = { e = 1 } } } } }, '{"a":{"b":{"c":{"d":{"e":1}}}}}')
    equal(json.encode { 1, { 2, { 3, { 4, { 5, 6 } } } } }, "[1,[2,[3,[4,[5,6]]]]]")
  end)

  it("functions and tables with positions and names are refused", function()
    spec.raises("JSON has no function", json.encode, function() end)
    spec.raises("both positions and names", json.encode, { 1, 2, c = 3 })
  end)
end)
