-- SPDX-License-Identifier: MIT

local spec <const> = require "spec"
local time <const> = require "time"
local it <const>, equal <const> = spec.it, spec.equal

it("tells the time", function()
  spec.truthy(time.now() > 1.7e9 and time.now() < 1e11)
  local before <const> = time.monotonic()
  spec.truthy(time.monotonic() >= before)
end)

it("writes moments", function()
  equal(time.iso(0), "1970-01-01T00:00:00Z")
  equal(time.iso(951782400), "2000-02-29T00:00:00Z")
  equal(time.iso(1777863721.25, 3), "2026-05-04T03:02:01.250Z")
  equal(time.iso(-1), "1969-12-31T23:59:59Z")
  equal(time.iso(-0.5, 1), "1969-12-31T23:59:59.5Z")
  equal(time.iso(253402300799), "9999-12-31T23:59:59Z")
  equal(time.iso(-62167219200), "0000-01-01T00:00:00Z")
  equal(time.iso(0.9999999, 2), "1970-01-01T00:00:00.99Z")
  spec.raises("the moment 253402300800 is not in the years 0 to 9999", time.iso, 253402300800)
  spec.raises("the fraction has 0 to 9 digits", time.iso, 0, 10)
end)

it("reads moments", function()
  equal(time.parse("1970-01-01"), 0)
  equal(time.parse("2000-02-29T00:00:00Z"), 951782400)
  equal(time.parse("2026-05-04t05:02:01.25+02:00"), 1777863721.25)
  equal(time.parse("2026-05-03 22:02:01-05:00"), 1777863721)
  equal(time.parse("0000-01-01T00:00:00Z"), -62167219200)
end)

it("refuses what is no moment", function()
  for text, reason in next, {
    ["2026-13-01"] = "there is no such month", ["2026-02-29"] = "there is no such day",
    ["1900-02-29"] = "there is no such day", ["2026-05-04T24:00:00Z"] = "there is no such time",
    ["2026-05-04T03:02"] = "the time is like 03:02:01", ["2026-05-04T03:02:01"] = "it ends with Z or an offset",
    ["2026-05-04T03:02:01.Z"] = "the fraction has no digits", ["today"] = "it does not begin with a date",
    ["2026-05-04T03:02:01+25:00"] = "there is no such offset", [""] = "it does not begin with a date",
  } do
    spec.raises(reason, time.parse, text)
  end
  spec.raises("parse takes a string, not a number", time.parse, 5)
end)

it("takes each day of a long time there and back", function()
  local days = -800000
  while days < 2900000 do
    local moment <const> = days * 86400 + 3661
    if moment >= -62167219200 then equal(time.parse(time.iso(moment)), moment) end
    days = days + 9973
  end
end)

it("tells the parts of a moment", function()
  local parts <const> = time.parts(1777863721)
  equal(parts, { year = 2026, month = 5, day = 4, hour = 3, minute = 2, second = 1, weekday = 1 })
  equal(time.parts(1777863721.5).second, 1.5)
  spec.raises("a moment is a number of seconds since 1970, not x", time.parts, "x")
end)

it("writes durations", function()
  equal(time.duration(0), "0s")
  equal(time.duration(0.35), "350ms")
  equal(time.duration(59), "59s")
  equal(time.duration(62), "1m 2s")
  equal(time.duration(3723), "1h 2m")
  equal(time.duration(3723, 3), "1h 2m 3s")
  equal(time.duration(3603), "1h")
  equal(time.duration(-90), "-1m 30s")
  equal(time.duration(200000), "2d 7h")
  equal(time.duration(1.5), "1s")
end)

it("repeats until it is cancelled", function()
  local count = 0
  local token
  token = time.every(0.001, function()
    count = count + 1
    if count == 3 then token:cancel() end
  end)
  while not token.cancelled do sleep(0.001) end
  sleep(0.02)
  equal({ count, token.runs, token:cancel() }, { 3, 3, false })
end)

it("repeats until the function returns false, whatever fails", function()
  local token <const> = time.every(0.001, function(this)
    if this.runs == 1 then error("once") end
    if this.runs == 3 then return false end
  end)
  while not token.cancelled do sleep(0.001) end
  equal({ token.runs, token.failures }, { 3, 1 })
end)

it("never runs what was cancelled at once", function()
  local token <const> = time.every(0.001, function() error("it runs") end)
  equal(token:cancel(), true)
  sleep(0.01)
  equal(token.runs, 0)
end)

it("refuses what cannot be repeated", function()
  spec.raises("more than 0", time.every, 0, print)
  spec.raises("every takes a function, not a nil", time.every, 1)
end)

-- It is cancelled by the end of the patch.
time.every(0.002, function() end)
