-- SPDX-License-Identifier: MIT
--
-- Answers with the last good quote while the feed of rates does not.
--
-- bankd asks the feed for a rate, and asks again when it is out of service: without end. Whoever
-- wanted the rate gets no answer at all. This patch waits for a quarter of a second.

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
-- The function is async and its type an actor: this one runs on the actor, and while it waits, the
-- actor and the thread go on with other work, other calls of it among them.
function Service:quote(currency)
  -- The program's own function waits as it does in Swift. When the time is up it is cancelled, as
  -- a Swift task is, and `timeout` raises an error.
  local succeeded, quote = pcall(timeout, patience, function() return self:ORIGquote(currency) end)
  if succeeded then
    last[currency.rawValue] = quote
    return quote
  end
  -- The client has gone, or the daemon stops: nobody needs a quote.
  if cancelled() then error(quote, 0) end
  local old = last[currency.rawValue]
  if not old then throw(RateError.noQuote(currency)) end
  log.warn("the feed is silent", { currency = currency.rawValue, quote = old.number })
  old.isCurrent = false
  return old
end
