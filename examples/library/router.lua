-- SPDX-License-Identifier: MIT
--
-- A hot fix by a table of routes: the endpoint of /v1/prices is broken, so requests go elsewhere.
-- Reverting the patch leads them back.

patch { version = 1 }

local router <const> = require "router"
local Network <const> = class "Shop.Network"

local routes <const> = router.scheme("https")

routes:add("/v1/prices/:product", function(parameters)
  parameters.redirect("https://backup.example.com/prices/" .. parameters.product)
end)

routes:add("/v1/*", function(parameters)
  log.debug("as ever", { url = parameters[router.URL] })
  return false
end)

function Network:fetch(url)
  local target = url
  router.route(url, { redirect = function(other) target = other end })
  return self:ORIGfetch(target)
end
