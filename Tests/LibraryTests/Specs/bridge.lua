-- SPDX-License-Identifier: MIT
--
-- What a patch sees of the bridge. That messages arrive is tested with the tool and a daemon.

local spec <const> = require "spec"
local bridge <const> = require "bridge"
local it <const>, equal <const> = spec.it, spec.equal

bridge.handle("b", function() return 1 end)
bridge.handle("a", function() return 2 end)

it("lists handlers by name", function()
  equal(bridge.names(), { "a", "b" })
end)

it("refuses what is no handler", function()
  spec.raises("handle takes a name and a function", bridge.handle, "c")
  spec.raises("handle takes a name and a function", bridge.handle, "", print)
end)

it("refuses a second handler of a name", function()
  spec.raises("there is a handler 'a' already", bridge.handle, "a", print)
end)

it("ends a handler, which may be declared again", function()
  equal(bridge.remove("b"), true)
  equal(bridge.remove("b"), false)
  bridge.handle("b", function() return 3 end)
  equal(bridge.names(), { "a", "b" })
end)

it("refuses what cannot be sent", function()
  spec.raises("call takes the name of a client's handler", bridge.call, "")
  spec.raises("send takes a function for the reply", bridge.send, "owner", 1, 2)
  spec.raises("the time to wait in seconds", bridge.send, "owner", 1, nil, -1)
  spec.raises("the message cannot be sent", bridge.call, "owner", print)
end)
