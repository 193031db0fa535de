-- SPDX-License-Identifier: MIT
--
-- An HTTP client whose requests wait without holding a thread, tried on bankd: one request after
-- another, several at once, with a time limit, with errors, and through an API with callbacks.
--
--     bankd --port 8080 &
--     waxwing run examples/http_client.lua http://127.0.0.1:8080

import "FoundationNetworking"

local base <const> = ...
if not base then error("usage: waxwing run examples/http_client.lua URL", 0) end

local session <const> = URLSession.shared

-- Requests ----------------------------------------------------------------------------------------

local function make(method, path, body)
  local request = URLRequest.init_url_cachePolicy_timeoutInterval(
    URL(base .. path), "reloadIgnoringLocalCacheData", 60)
  request.httpMethod = method
  if body then
    request:setValue_forHTTPHeaderField("application/json", "Content-Type")
    request.httpBody = JSONSerialization.data(body, {})
  end
  return request
end

-- Returns the answer's body as a table, or raises an error if the answer is one.
local function read(data, response)
  local answer = JSONSerialization.jsonObject(data, {})
  if response.statusCode < 400 then return answer end
  error(string.format("%d: %s", response.statusCode, answer.error), 0)
end

-- URLSession.data(for: URLRequest, delegate: URLSessionTaskDelegate?) async throws
--   -> (Data, URLResponse)
--
-- An async Swift function is called like any other. Other code runs until the answer arrives.
local function call(method, path, body)
  return read(session:data(make(method, path, body), nil))
end

local function get(path) return call("GET", path) end
local function post(path, body) return call("POST", path, body) end

-- One after the other -----------------------------------------------------------------------------

local ada = post("/accounts", { owner = "Ada" })
local ben = post("/accounts", { owner = "Ben", kind = "savings" })
print("opened", ada.number, ben.number)
local path = string.format("/accounts/%d/deposit", ada.id.intValue)   -- JSON's numbers are objects
print("paid in", post(path, { amount = 50000 }).display)

-- Several at once ---------------------------------------------------------------------------------

-- The first request to a slow feed waits two seconds, and the others wait at the same time.
post("/feed", { condition = "slow" })
local start = Date()
local function rate_of(currency)
  return function() return get("/rates?currency=" .. currency) end
end
local usd, gbp, chf = all { rate_of "USD", rate_of "GBP", rate_of "CHF" }
local seconds = -start.timeIntervalSinceNow
print("rates", usd.currency, gbp.currency, chf.currency)
print("one wait, not three", seconds > 1.5 and seconds < 6)

-- With a time limit -------------------------------------------------------------------------------

-- When the time is up the request is cancelled: the client hangs up, and bankd stops working on it.
print("limit", pcall(timeout, 0.3, rate_of "USD"))

-- The first of several answers is enough; the other requests are cancelled.
local first = race {
  rate_of "CHF",
  function() return get("/health") end,
}
print("first", first.status)

-- If one of several fails, the others are cancelled and its error is raised. Here they are far from
-- their answers: a request that is cancelled in the moment of its answer can make URLSession wait
-- for ever, in Swift as in Lua.
print("one of three", pcall(all, { rate_of "USD", rate_of "EUR", rate_of "GBP" }))
post("/feed", { condition = "up" })

-- Errors ------------------------------------------------------------------------------------------

print("refused", pcall(post, "/exchanges", { account = ada.id, amount = 0, currency = "USD" }))
print("not there", pcall(get, "/nothing"))

-- URLSession throws a Swift error whose value is a URLError.
local reached, reason = pcall(function()
  return session:data(URLRequest.init_url_cachePolicy_timeoutInterval(
    URL("http://127.0.0.1:1/"), "reloadIgnoringLocalCacheData", 5), nil)
end)
print("nobody there", reached, typeof(reason).name, reason.value.code)

-- In the background -------------------------------------------------------------------------------

local before = get("/ledger").count.intValue
local audit = task(function()
  local entries, count
  repeat
    sleep(0.02)
    local ledger = get("/ledger")
    entries, count = ledger.entries, ledger.count.intValue
  until count >= before + 2
  return entries[#entries - 1].note, entries[#entries].kind
end)
post("/exchanges", { account = ada.id, amount = 1000, currency = "GBP" })
post("/transfers", { from = ada.id, to = ben.id, amount = 500 })
print("audit", audit:wait())

-- By calling back ---------------------------------------------------------------------------------

-- An API from before async: `continuation` waits until its function is called.
local data, response, failure = continuation(function(resume)
  session:dataTask(make("GET", "/fees?amount=10050"), function(...) resume(...) end):resume()
end)
print("fee", read(data, response).fee.intValue, failure)
