-- SPDX-License-Identifier: MIT

local spec <const> = require "spec"
local notifier <const> = require "notifier"
local it <const>, equal <const> = spec.it, spec.equal

local Downloader <const>, Log <const> = class "Shop.Downloader", class "Shop.DownloadLog"
local started <const>, received <const> = "downloaderDidStart(_:)", "downloader(_:didReceive:)"
local retry <const> = "downloader(_:shouldRetry:)"
local methods <const> = { started, received, retry }

local make <const> = notifier.class("Shop.DownloaderDelegate", methods, { default = { [retry] = false } })
local make_any <const> = notifier.class("Shop.DownloaderDelegate", methods,
  { name = "AnyNotifier", methods = { [retry] = "any" }, default = { [retry] = false } })
local make_later <const> = notifier.class("Shop.DownloaderDelegate", methods,
  { name = "LaterNotifier", queue = "task", default = { [retry] = false } })

local function run(many)
  local downloader <const> = Downloader()
  downloader.delegate = many.delegate
  return downloader:run()
end

it("tells all observers, in their order, what they respond to", function()
  local many <const>, lines <const> = make(), {}
  many:add { [started] = function(_, downloader) lines[#lines + 1] = "a start " .. downloader.received end }
  many:add { [received] = function(_, _, bytes) lines[#lines + 1] = "b " .. bytes end }
  many:add({ downloader = function(_, _, value) lines[#lines + 1] = "c " .. value end }, { first = true })
  equal(run(many), 1)
  equal(lines, { "a start 0", "c 3", "b 3", "c 4", "b 4", "c 1" })
end)

it("takes Swift objects, and does not keep them", function()
  local many <const> = make()
  do
    local record <const> = Log()
    equal(many:add(record), true)
    equal(many:add(record), false)
    equal(run(many), 2)
    equal(record.lines, { "start", "3", "4" })
  end
  equal(#many:observers() <= 1, true)
end)

it("gives the first result, or what the results are combined to", function()
  local many <const> = make()
  many:add { [retry] = function(_, _, attempt) return attempt < 3 end }
  many:add { [retry] = function() return true end }
  equal(run(many), 3)
  local any <const> = make_any()
  any:add { [retry] = function() return false end }
  any:add { [retry] = function(_, _, attempt) return attempt < 4 end }
  equal(run(any), 4)
  equal(run(make_any()), 1)
end)

it("lets observers come and go during a call", function()
  local many <const>, lines <const> = make(), {}
  local second <const> = { [started] = function() lines[#lines + 1] = "second" end }
  local third <const> = { [started] = function() lines[#lines + 1] = "third" end }
  many:add { [started] = function()
    lines[#lines + 1] = "first"
    many:remove(second)
    many:add(third)
  end }
  many:add(second)
  run(many)
  equal(lines, { "first" })
  run(many)
  equal(lines, { "first", "first", "third" })
  many:clear()
  run(many)
  equal(#lines, 3)
  equal(many:observers(), {})
end)

it("goes on when an observer fails", function()
  local many <const>, count = make(), 0
  many:add { [started] = function() error("a mistake") end }
  many:add { [started] = function() count = count + 1 end }
  run(many)
  equal(count, 1)
end)

it("tells who responds", function()
  local many <const> = make()
  equal(many:responds(started), false)
  many:add { downloaderDidStart = function() end }
  equal({ many:responds(started), many:responds(retry) }, { true, false })
  many:add(Log())
  equal(many:remove({}), false)
end)

it("tells later, where it is told to, in order", function()
  local many <const>, lines <const> = make_later(), {}
  many:add { [received] = function(_, _, bytes) lines[#lines + 1] = bytes end }
  run(many)
  local waited = 0
  while #lines < 2 and waited < 1000 do
    sleep(0.001)
    waited = waited + 1
  end
  table.sort(lines)
  equal(lines, { 3, 4 })
end)

it("refuses what is no observer, and what it cannot combine", function()
  spec.raises("an observer is a table or a Swift object, not a number", make().add, nil, 5)
  spec.raises("there is no way 'most' of combining the results of " .. retry, notifier.class,
    "Shop.DownloaderDelegate", methods, { methods = { [retry] = "most" } })
  spec.raises("class takes the name of a protocol", notifier.class, 5)
end)
