-- SPDX-License-Identifier: MIT
--
-- A table of routes as a hot fix: while the feed of rates is down, GET /rates never answers. This
-- leads it to GET /feed, which says so, and the paths of an old client to those of today. Reverting
-- the patch leads every request back.

patch {
  name = "routes",
  version = 1,
  program = "bankd",
}

local router, with = require "router", require "with"

local API = class "bankd.BankAPI"

-- Requests have paths, not URLs: these are the routes without a scheme.
local routes = router.scheme()

routes:add("/rates", function(parameters) parameters.lead("/feed") end)

-- Old clients send /v1/accounts/1001 and /v1/accounts/1001/statement.
routes:add("/v1/accounts/:id(/:part)", function(parameters)
  local part = parameters.part and "/" .. parameters.part or ""
  parameters.lead("/accounts/" .. parameters.id .. part)
end)

-- BankAPI.respond(to request: HTTPRequest) throws(HTTPError) -> HTTPReply
function API:respond(request)
  local target = request
  router.route(request.path, {
    lead = function(path)
      log.info("led elsewhere", { from = request.path, to = path })
      target = with(request, { ["head.path"] = path })
    end,
  })
  return self:ORIGrespond(target)
end
