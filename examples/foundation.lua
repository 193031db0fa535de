-- SPDX-License-Identifier: MIT
--
-- Two dozen types of Foundation from Lua, without bindings. Waxwing reads names, types and layouts
-- from the library itself.
--
--     waxwing run examples/foundation.lua

import "Foundation"

-- A URL is a struct: read its properties by name, and call its methods.
local url = URL("https://example.org:8080/shop/items.json?page=2#top")
print("URL", url.scheme, url.host, url.port, url.pathExtension, url.query, url.fragment)
print("URL", url:deletingLastPathComponent():appendingPathComponent("cart").path)

-- Components can be set, on a copy, as in Swift.
local components = URLComponents("https://example.org/find")
components.host = "swift.org"
components.queryItems = { URLQueryItem.init_name_value("q", "lua & swift") }
print("URLComponents", components.string)

-- Dates, calendars and formatters.
local year = Date.init_timeIntervalSince1970(86400 * 365)
print("Date", year, year.timeIntervalSince1970, year > Date.init_timeIntervalSince1970(0))
print("DateInterval", DateInterval.init_start_duration(year, 3600).duration)
local parts = DateComponents()
parts.year, parts.month = 2026, 11
print("DateComponents", parts.year, parts.month, parts.day)
local calendar = Calendar("gregorian")
calendar.timeZone = TimeZone("GMT")
print("Calendar", calendar:component("year", year), calendar:isDate_inSameDayAs(year, Date()))
print("ISO8601DateFormatter", ISO8601DateFormatter():string(year))
print("TimeZone", TimeZone("GMT").identifier,
  TimeZone.init_secondsFromGMT(7200):secondsFromGMT(year))
print("Locale", Locale("de_DE").identifier)

-- Exact numbers, and their formats.
print("Decimal", Decimal(12) + Decimal(30))
print("NSDecimalNumber",
  NSDecimalNumber.init_string("0.1"):adding(NSDecimalNumber.init_string("0.2")).stringValue)
print("Measurement", Measurement(2.5, UnitLength.kilometers):converted(UnitLength.meters).value)
local formatter = NumberFormatter()
formatter.minimumIntegerDigits = 3
print("NumberFormatter", formatter.minimumIntegerDigits)

-- Bytes and texts are Lua strings; call Swift's methods on the type. A list is an array, a set, or
-- an option set.
print("Data", Data.base64EncodedString("abc", {}), Data("abc"))
print("String", String.capitalized("one two"),
  String.replacingOccurrences("a-b", "-", "+", {}, nil))
local id = UUID("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
print("UUID", id.uuidString, id == UUID(id.uuidString))
print("IndexSet", IndexSet({ 1, 4 }):contains(4), IndexSet({ 1, 4 }).count)
print("IndexPath", IndexPath.init_index(3))
print("CharacterSet", CharacterSet.decimalDigits:isSuperset_of(CharacterSet.decimalDigits))

-- Classes: expressions, the file system, this process.
local text = "Ada@home and bob@work"
local expression = NSRegularExpression("(\\w+)@(\\w+)",
  { NSRegularExpression.Options.caseInsensitive })
print("NSRegularExpression", expression:numberOfMatches(text, {}, NSRange(0, #text)),
  expression:stringByReplacingMatches(text, {}, NSRange(0, #text), "$2 of $1"))
local read = JSONSerialization.jsonObject('{"name": "Ada", "ages": [1, 2]}', {})
print("JSONSerialization", read.name, #read.ages, JSONSerialization.data({ 1, "two" }, {}))
print("FileManager", FileManager.default:fileExists_atPath("/"))
print("ProcessInfo", ProcessInfo.processInfo.processIdentifier > 0, Bundle.main.bundlePath ~= "")
print("NSString", NSString.init_string("text").length)

-- A Swift error is caught as a Lua error.
local ok, reason = pcall(NSRegularExpression, "(", {})
print("error", ok, typeof(reason).name)

-- `typeof` lists the members of a type.
print("typeof", typeof(DateInterval).kind, typeof(formatter).superclass)
for _, member in ipairs(typeof(DateInterval).members) do
  if string.find(member, "^var .*duration") then print("typeof", member) end
end
