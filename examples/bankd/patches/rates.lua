-- SPDX-License-Identifier: MIT
--
-- Answers with the last good quote while the feed of rates is down.
--
-- bankd asks the feed for a rate, and repeats that for ever while the feed is out of service. The
-- client gets no answer at all. This patch waits for a quarter of a second.

patch {
  name = "rates",
  version = 1,
  program = "bankd",
}

local patience <const> = 0.25              -- seconds

local Service, RateError = class "bankd.RateService", class "bankd.RateError"

local last = {}                            -- the newest quote of each currency

-- RateService.quote(_ currency: Currency) async throws -> RateQuote
--
-- The function is async and its type is an actor. The override runs on the actor. While it waits,
-- the actor and the thread do other work, including other calls of this function.
function Service:quote(currency)
  -- The program's own function waits as it does in Swift. When the time is up, it is cancelled like
  -- a Swift task, and `timeout` raises an error.
  local succeeded, quote = pcall(timeout, patience, function() return self:ORIGquote(currency) end)
  if succeeded then
    last[currency.rawValue] = quote
    return quote
  end
  -- The client has disconnected, or the daemon is stopping: nobody needs a quote.
  if cancelled() then error(quote, 0) end
  local old = last[currency.rawValue]
  if not old then throw(RateError.noQuote(currency)) end
  log.warn("the feed is silent", { currency = currency.rawValue, quote = old.number })
  old.isCurrent = false
  return old
end
