-- SPDX-License-Identifier: MIT

local spec <const> = require "spec"
local base64 <const> = require "base64"
local it <const>, equal <const> = spec.it, spec.equal

local vectors <const> = {
  [""] = "", f = "Zg==", fo = "Zm8=", foo = "Zm9v", foob = "Zm9vYg==", fooba = "Zm9vYmE=", foobar = "Zm9vYmFy",
}

it("gives the results of RFC 4648", function()
  for bytes, text in next, vectors do
    equal(base64.encode(bytes), text)
    equal(base64.decode(text), bytes)
  end
end)

it("has an alphabet for URLs, without padding", function()
  equal(base64.encode("\xfb\xff\xfe"), "+//+")
  equal(base64.encode("\xfb\xff\xfe", { url = true }), "-__-")
  equal(base64.encode("f", { url = true }), "Zg")
  equal(base64.encode("f", { url = true, padding = true }), "Zg==")
  equal(base64.encode("f", { padding = false }), "Zg")
  equal(base64.decode("-__-", { url = true }), "\xfb\xff\xfe")
  equal(base64.decode("Zg", { url = true }), "f")
  equal(base64.decode("Zg==", { url = true }), "f")
  equal(base64.decode("Zg", { padding = false }), "f")
end)

it("takes all bytes there and back", function()
  local all <const> = {}
  for code = 0, 255 do all[#all + 1] = string.char(code) end
  for length = 0, 12 do
    local bytes <const> = table.concat(all, "", 1, length) .. table.concat(all)
    equal(base64.decode(base64.encode(bytes)), bytes)
    equal(base64.decode(base64.encode(bytes, { url = true }), { url = true }), bytes)
  end
end)

it("refuses what is not base64, and says where", function()
  spec.raises("base64 has no '-', at position 3", base64.decode, "Zm-v")
  spec.raises("base64 has no '+', at position 1", base64.decode, "+m9v", { url = true })
  spec.raises("base64 has no ' ', at position 5", base64.decode, "Zm9v Zm9v")
  spec.raises("base64 has no '\n', at position 5", base64.decode, "Zm9v\n")
  spec.raises("base64 has no 'ü', at position 1", base64.decode, "üm9")
  spec.raises("base64 has no '=', at position 2", base64.decode, "Z=g=")
  spec.raises("base64 ends in the middle of a byte", base64.decode, "Zm9vZ")
  spec.raises("base64 ends with 2 '=' here, not 0", base64.decode, "Zg")
  spec.raises("base64 ends with 2 '=' here, not 1", base64.decode, "Zg=")
  spec.raises("base64 ends with 0 '=' here, not 1", base64.decode, "Zm9v=")
  spec.raises("base64 ends with 0 '=' here, not 2", base64.decode, "Zg==", { padding = false })
  spec.raises("bits that belong to no byte", base64.decode, "Zh==")
  spec.raises("encode takes a string, not a number", base64.encode, 1)
end)
