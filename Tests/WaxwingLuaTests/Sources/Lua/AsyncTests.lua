-- SPDX-License-Identifier: MIT
--
-- What tasks and waiting promise to patches. Each test runs a script as an async override of a host
-- that simulates tasks and time, and compares what the script said, as text.

local TestRunner <const>, AsyncHost <const> = _G.TestRunner, _G.AsyncHost

local runner <const> = TestRunner.new()

local function test(name, body)
  runner:test(name, body)
end

--- How often something is done to see that it always works; seldom while lines are recorded.
local function often(count)
  return runner.is_recorded and count // 100 or count
end

local function equal(found, expected)
  if found ~= expected then
    error(string.format("found\n%s\nexpected\n%s", found, expected), 2)
  end
end

local function text_of(...)
  local parts <const> = table.pack(...)
  for i = 1, parts.n do parts[i] = tostring(parts[i]) end
  return table.concat(parts, " ", 1, parts.n)
end

--- Runs a script. Returns what it said, a line each time, and the host. In it, `say` says
--- something, `at` something with the time, and `host` is the host.
local function play(script, pick, change)
  local said <const> = {}
  local host <const>, library <const> = AsyncHost.start(pick, change)
  library.host = host
  function library.say(...) said[#said + 1] = text_of(...) end
  function library.at(...) library.say(string.format("%g", host.now()), ...) end
  function library.try(f, ...) library.say(pcall(f, ...)) end
  local environment <const> = setmetatable(library, { __index = _G })
  local chunk <const> = assert(load(script, "=patch", "t", environment))
  host.call(function()
    local ok <const>, message <const> = pcall(chunk)
    if not ok then library.say("failed:", message) end
  end)
  equal(host.live, 0)
  equal(host.has_forgotten(), true)
  for co in pairs(host.strands) do equal(host.is_engines[co], nil) end
  return table.concat(said, "\n"), host
end

-- Tasks -------------------------------------------------------------------------------------------

test("a task begins later, and gives all its results, nils kept", function()
  equal(play [[
    local t = task(function(a, b, c)
      say("begun", a, b, c)
      return nil, a, nil
    end, 1, nil, 3)
    say("made", t.finished)
    say(select("#", t:wait()), t:wait())
    say(t.finished, t.cancelled)
  ]], "made false\nbegun 1 nil 3\n3 nil 1 nil\ntrue false")
end)

test("tasks begin where they are meant to", function()
  local _, host <const> = play [[
    task(print)
    main(function() end)
    global(function() end)
    after(2, function() at("after") end)
    after(3, task, function() at("a task of a task") end)
  ]]
  equal(table.concat(host.log, ", "),
    "inherit 0.0, main 0.0, global 0.0, inherit 2.0, inherit 3.0, inherit 0.0")
end)

test("after passes arguments on when its time has come", function()
  equal(play [[
    local t = after(2.5, function(...) at(...) return "done" end, 1, nil)
    after(1, at, "one")
    say(t:wait())
  ]], "1 one\n2.5 1 nil\ndone")
end)

test("a task's error is raised unchanged in all that wait for it, each time", function()
  local said <const>, host <const> = play [[
    local reason = {}
    local t = task(function() sleep(1) error(reason) end)
    local others = {}
    for i = 1, 3 do
      others[i] = task(function() return select(2, pcall(t.wait, t)) == reason end)
    end
    say(select(2, pcall(t.wait, t)) == reason, select(2, pcall(t.wait, t)) == reason)
    for i = 1, 3 do say(others[i]:wait()) end
    say(string.match(host.mark, "^mark of table"))
  ]]
  equal(said, "true true\ntrue\ntrue\ntrue\nmark of table")
  equal(#host.failures, 0)
end)

test("waiting for a finished task needs no waiting", function()
  equal(play [[
    local good, bad = task(function() return 1, 2 end), task(error, "bad", 0)
    say(good:wait(), pcall(bad.wait, bad))
    say(host.synchronously(good.wait, good))
    say(host.synchronously(bad.wait, bad))
  ]], "1 false bad\ntrue 1 2\nfalse bad")
end)

test("a failure that is nobody's is reported once, with its traceback", function()
  local said <const>, host <const> = play [[
    local function broken() error("broken", 0) end
    task(function() broken() end)
    local t = task(error, "too", 0)
    sleep(5)
    try(t.wait, t)
    sleep(5)
  ]]
  equal(said, "false too")
  equal(table.concat(host.failures, ", "), "broken, too")
  equal(host.traceback:find("stack traceback", 1, true) ~= nil, true)
  equal(select(2, table.concat(host.log, ", "):gsub("global 1.0", "")), 1)
end)

test("a failure that somebody asks about soon is not reported", function()
  local said <const>, host <const> = play [[
    local t = task(error, "asked about", 0)
    sleep(0.9)
    try(t.wait, t)
    sleep(5)
  ]]
  equal(said, "false asked about")
  equal(#host.failures, 0)
end)

test("a failure is reported if those that waited for it have gone", function()
  local _, host = play [[
    local t = task(function() sleep(2) error("lonely", 0) end)
    local waiter = task(function() t:wait() end)
    sleep(1)
    waiter:cancel()
  ]]
  equal(table.concat(host.failures, ", "), "lonely")
  -- The task fails and the one that waits for it is cancelled at the same time.
  _, host = play [[
    local waiter
    local t = task(function() sleep(2) waiter:cancel() error("lonely", 0) end)
    waiter = task(function() t:wait() end)
  ]]
  equal(table.concat(host.failures, ", "), "lonely")
end)

test("a failure is not reported while somebody waits who has yet to go on", function()
  local _, host <const> = play([[
    local t = task(error, "asked about", 0)
    local impatient = task(function() sleep(1) try(t.wait, t) end)
    local stubborn = task(function() t:wait() end)
    try(stubborn.wait, stubborn)
  ]])
  equal(#host.failures, 0)
end)

test("where no task can begin any more, a failure is reported at once", function()
  local _, host <const> = play [[
    task(function() host.is_ending = true error("late", 0) end)
  ]]
  equal(table.concat(host.failures, ", "), "late")
end)

test("a host without tracebacks has empty ones", function()
  local said <const>, host <const> = play([[
    task(error, "bare", 0)
    local t = task(error, "raised", 0)
    try(t.wait, t)
    try(coroutine.wrap(function() error("wrapped", 0) end))
  ]], nil, function(host) host.trace, host.raise = nil, nil end)
  equal(said, "false raised\nfalse wrapped")
  equal(host.traceback, "")
end)

test("an error that is nil is one", function()
  equal(play [[
    local t = task(error)
    try(t.wait, t)
    say(t)
  ]], "false nil\ntask at patch:1 (failed)")
end)

-- Cancelling --------------------------------------------------------------------------------------

test("what a cancelled task waits for raises in it", function()
  local said <const>, host <const> = play [[
    local t = task(function()
      try(sleep, 100)
      say(cancelled())
      sleep(1)
    end)
    sleep(1)
    say(t)
    say(t:cancel(), t.cancelled, t)
    try(t.wait, t)
    at(t:cancel(), t)
  ]]
  equal(said, "task at patch:1 (running)\ntrue true task at patch:1 (cancelled)\n"
    .. "false CancellationError\ntrue\nfalse CancellationError\n1 false task at patch:1 (failed)")
  equal(#host.failures, 0)
end)

test("a task that is cancelled can finish all the same", function()
  equal(play [[
    local t = task(function()
      pcall(sleep, 100)
      return "tidy"
    end)
    sleep(1)
    t:cancel()
    say(t:wait())
    say(t.finished, t.cancelled, t)
  ]], "tidy\ntrue true task at patch:1 (finished)")
end)

test("a cancelled task that fails otherwise has failed", function()
  local _, host <const> = play [[
    local t = task(function()
      pcall(sleep, 100)
      error("clumsy", 0)
    end)
    sleep(1)
    t:cancel()
  ]]
  equal(table.concat(host.failures, ", "), "clumsy")
end)

test("a CancellationError in a task that nobody cancelled is a failure", function()
  local _, host <const> = play [[
    local t = task(sleep, 100)
    task(function() t:wait() end)
    sleep(1)
    t:cancel()
  ]]
  equal(table.concat(host.failures, ", "), "CancellationError")
end)

test("a task that is cancelled before it has begun does not begin", function()
  equal(play [[
    local a, b = task(say, "never"), after(50, say, "never")
    a:cancel()
    sleep(1)
    b:cancel()
    try(a.wait, a)
    try(b.wait, b)
    at()
  ]], "false CancellationError\nfalse CancellationError\n1")
end)

test("a task can cancel itself", function()
  equal(play [[
    local t
    t = task(function()
      say(t:cancel(), cancelled())
      sleep(1)
    end)
    try(t.wait, t)
    say(cancelled())
  ]], "true true\nfalse CancellationError\nfalse")
end)

test("who waits for a task can be cancelled alone", function()
  equal(play [[
    local t = task(function() sleep(10) return "done" end)
    local waiter = task(function() return t:wait() end)
    sleep(1)
    waiter:cancel()
    try(waiter.wait, waiter)
    say(t.finished, t:wait())
  ]], "false CancellationError\nfalse done")
end)

-- Waiting for each other --------------------------------------------------------------------------

test("a task cannot wait for itself, or for one that waits for it", function()
  equal(play [[
    local a, b, c
    a = task(function()
      try(a.wait, a)
      local f = coroutine.wrap(function() a:wait() end)
      try(function() f() end)
      return b:wait()
    end)
    b = task(function() return c:wait() end)
    c = task(function()
      try(function() return (a:wait()) end)
      return "c"
    end)
    say(a:wait())
  ]], [[
false a task cannot wait for itself
false patch:5: patch:4: a task cannot wait for itself
false patch:10: the task waits for this one: both would wait for ever
c]])
end)

test("what all runs cannot wait for the task that it is in", function()
  equal(play [[
    local t, other
    t = task(function()
      all{ function() t:wait() end, function() other:wait() end }
    end)
    other = task(function()
      all{ function() t:wait() end, function() return 1 end }
    end)
    try(t.wait, t)
    try(other.wait, other)
  ]], [[
false patch:3: the task waits for this one: both would wait for ever
false patch:3: the task waits for this one: both would wait for ever]])
  equal(play [[
    local t, other
    t = task(function() all{ function() other:wait() end, function() sleep(1) end } end)
    other = task(function() sleep(0.5) t:wait() end)
    try(t.wait, t)
  ]], "false patch:3: the task waits for this one: both would wait for ever")
end)

test("what race runs may wait for the task that it is in: another function can be first", function()
  equal(play [[
    local t
    t = task(function()
      return race{ function() t:wait() end, function() sleep(1) return "first" end }
    end)
    say(t:wait())
  ]], "first")
end)

test("a long row of tasks can wait for one another", function()
  equal(play(string.format([[
    local last = task(function() sleep(1) return "the first" end)
    for _ = 1, %d do
      local before = last
      last = task(function() return before:wait() end)
    end
    say(last:wait())
  ]], often(3000))), "the first")
end)

test("a task that the host gave up is an error", function()
  equal(play([[
    local t = task(sleep, 3)
    sleep(1)
    try(function() return (t:wait()) end)
  ]], nil, function(host) host.join = function() end end),
    "false patch:3: the task has ended without finishing")
end)

-- Tokens ------------------------------------------------------------------------------------------

test("a task's token is closed, and knows its names", function()
  equal(play [[
    local t = task(function() end)
    say(getmetatable(t), pcall(setmetatable, t, {}))
    try(function() t:waits() end)
    try(function() return t[1] end)
    try(function() t.finished = true end)
    try(function() t.wait() end)
    try(function() t.cancel({}) end)
  ]], [[
false false cannot change a protected metatable
false patch:3: a task has no `waits`; did you mean `wait`?; it has wait(), cancel(), finished ]]
    .. [[and cancelled
false patch:4: a task has no `1`; it has wait(), cancel(), finished and cancelled
false patch:5: a task has no fields that can be set
false patch:6: wait is called on a task, as task:wait()
false patch:7: cancel is called on a task, as task:cancel()]])
end)

test("a token is not kept by its task", function()
  equal(play [[
    local tokens = setmetatable({}, { __mode = "k" })
    tokens[task(sleep, 10)] = true
    sleep(1)
    collectgarbage()
    say(next(tokens))
  ]], "nil")
end)

-- all ---------------------------------------------------------------------------------------------

test("all gives the first result of each in order, nils kept", function()
  equal(play [[
    say(select("#", all{
      function() sleep(3) at("a") return "a", "more" end,
      function() sleep(1) at("b") end,
      function() sleep(2) at("c") return nil end,
    }))
    say(all{ function() sleep(1) return 1 end, function() return nil, 2 end,
      function() return false end, function() end })
    at()
  ]], "1 b\n2 c\n3 a\n3\n1 nil false nil\n4")
end)

test("the first failure cancels the others, and is raised when they have ended", function()
  equal(play [[
    local reason = {}
    local ok, caught = pcall(all, {
      function() sleep(1) error(reason) end,
      function()
        local _, caught = pcall(sleep, 100)
        at(caught)
        error("a later one")
      end,
      function() return 1 end,
    })
    at(ok, caught == reason, string.match(host.mark, "^mark of table"))
  ]], "1 CancellationError\n1 false true mark of table")
end)

test("whoever waits in all is cancelled with what it runs", function()
  equal(play [[
    local t = task(function()
      all{ function() try(sleep, 100) end, function() try(sleep, 100) error("lost") end }
    end)
    sleep(1)
    t:cancel()
    try(t.wait, t)
    at(t.cancelled)
    local late = task(function()
      cancelled()
      pcall(sleep, 100)
      all{ function() say("runs", cancelled()) end }
    end)
    sleep(1)
    late:cancel()
    try(late.wait, late)
  ]], "false CancellationError\nfalse CancellationError\nfalse CancellationError\n1 true\n"
    .. "runs true\nfalse CancellationError")
end)

test("all of nothing is nothing; lists are of functions, without gaps", function()
  equal(play [[
    say(select("#", all{}))
    try(function() all() end)
    try(function() all(print, print) end)
    try(function() all{ print, 2 } end)
    try(function() all{ print, nil, print } end)
    try(function() local list = { print } list[3] = print all(list) end)
    try(function() all{ print, other = print } end)
    try(function() all{ [0] = print, print } end)
    try(function() all(task(say)) end)
    try(function() all{ task(say) } end)
  ]], [[
0
false patch:2: all takes a table of functions, all{f, g}, not a nil
false patch:3: all takes a table of functions, all{f, g}, not a function
false patch:4: all takes functions; number 2 is a number
false patch:5: all takes functions; number 2 is a nil
false patch:6: all takes a list of functions; `3` is no place in it
false patch:7: all takes a list of functions; `other` is no place in it
false patch:8: all takes a list of functions; `0` is no place in it
false patch:9: all takes a table of functions, all{f, g}, not a task
false patch:10: all takes functions; number 1 is a task

]])
end)

test("all within all", function()
  equal(play [[
    say(all{
      function()
        local a, b = all{ function() sleep(1) return 1 end, function() sleep(2) return 2 end }
        return a + b
      end,
      function() return all{ function() sleep(3) return 4 end } end,
    })
    try(all, {
      function() all{ function() sleep(1) error("inner", 0) end, function() sleep(9) end } end,
      function() try(sleep, 9) end,
    })
    at()
  ]], "3 4\nfalse CancellationError\nfalse inner\n4")
end)

-- race and timeout --------------------------------------------------------------------------------

test("race gives what the first comes to, and waits for the others", function()
  equal(play [[
    say(select("#", race{
      function() sleep(1) return "first", nil, nil end,
      function() pcall(sleep, 100) at("tidied") return "second" end,
    }))
    try(race, { function() sleep(1) error("first", 0) end, function() sleep(2) return 2 end })
    at(race{ function() return 1 end })
    try(function() race{} end)
  ]], "1 tidied\n3\nfalse first\n2 1\n"
    .. "false patch:7: race takes at least one function")
end)

test("a race is cancelled with whoever waits for it", function()
  equal(play [[
    local t = task(function() race{ function() pcall(sleep, 9) return 1 end } end)
    sleep(1)
    t:cancel()
    try(t.wait, t)
    at()
  ]], "false CancellationError\n1")
end)

test("timeout passes arguments and results on, in time", function()
  equal(play [[
    say(select("#", timeout(5, function(...) sleep(1) at(...) return nil, 2, nil end, "a", nil)))
    say(timeout(5, function() end))
    try(timeout, 5, function() error("sooner", 0) end)
    at()
  ]], "1 a nil\n3\n\nfalse sooner\n1")
end)

test("timeout cancels, waits and raises", function()
  equal(play [[
    try(function()
      timeout(2, function()
        try(sleep, 100)
        return "too late"
      end)
    end)
    at()
    try(function() timeout(0.5, sleep, 3) end)
    local t = task(timeout, 50, sleep, 60)
    sleep(1)
    t:cancel()
    try(t.wait, t)
    at()
  ]], "false CancellationError\nfalse patch:2: timed out after 2 s\n2\n"
    .. "false patch:8: timed out after 0.5 s\nfalse CancellationError\n3.5")
end)

-- sleep and arguments -----------------------------------------------------------------------------

test("seconds are a number that is not negative", function()
  equal(play [[
    try(function() sleep("2") end)
    try(function() sleep() end)
    try(function() sleep(-1) end)
    try(function() sleep(0/0) end)
    try(function() after(-0.5, print) end)
    try(function() timeout({}, print) end)
    say(select("#", sleep(0)))
    at(select("#", sleep(2)))
  ]], [[
false patch:1: sleep takes seconds, a number >= 0, not a string
false patch:2: sleep takes seconds, a number >= 0, not a nil
false patch:3: sleep takes seconds, a number >= 0, not -1
false patch:4: sleep takes seconds, a number >= 0, not nan
false patch:5: after takes seconds, a number >= 0, not -0.5
false patch:6: timeout takes seconds, a number >= 0, not a table
0
2 0]])
end)

test("for ever is as long as the clock goes", function()
  equal(play [[
    sleep(math.huge)
    at()
    timeout(math.maxinteger, sleep, 1)
    at()
  ]], "4e+09\n4e+09")
end)

test("ask waits for a client's reply", function()
  equal(play [[
    say(ask("owner", "x"))
    at()
    try(function() timeout(2, ask, "nobody", "x") end)
    try(function() ask("owner") end)
    try(function() ask("", "x") end)
    try(function() ask("owner", "\xff") end)
  ]], [[
x
1
false patch:3: timed out after 2 s
false patch:4: ask takes the name of a client's handler and a text: ask("owner", "1")
false patch:5: ask takes the name of a client's handler and a text: ask("owner", "1")
false patch:6: ask takes text in UTF-8]])
end)

test("what takes a function takes nothing else", function()
  equal(play [[
    try(function() task() end)
    try(function() main("x") end)
    try(function() global(4) end)
    try(function() after(4) end)
    try(function() timeout(1, {}) end)
    try(function() continuation(true) end)
  ]], [[
false patch:1: task takes a function, not a nil
false patch:2: main takes a function, not a string
false patch:3: global takes a function, not a number
false patch:4: after takes a function, not a nil
false patch:5: timeout takes a function, not a table
false patch:6: continuation takes a function, not a boolean]])
end)

test("where nothing can wait, all that waits says what to do", function()
  equal(play [[
    local t = task(sleep, 1)
    local calls = {
      wait = function() return (t:wait()) end,
      sleep = function() sleep(1) end,
      all = function() all{} end,
      race = function() race{ print } end,
      timeout = function() timeout(1, print) end,
      each = function() each(io.stdout) end,
      continuation = function() continuation(print) end,
    }
    for name, call in pairs(calls) do
      local _, message = host.synchronously(call)
      if not message:find("^patch:%d: " .. name .. " waits, and that is for overrides of async "
        .. "functions and for tasks: use task%(function%(%) %.%.%. end%)$") then
        say(name, message)
      end
    end
    host.synchronously(function() task(at, "later") after(2, at, "later yet") end)
  ]], "0 later\n2 later yet")
end)

-- each and continuation ---------------------------------------------------------------------------

test("each waits for one element after the other", function()
  equal(play [[
    for x in each(io.stdout) do at(x) end
    for x in each(io.stdout) do at(x) break end
    for _ in each(io.stderr) do say("never") end
    try(function() each({}) end)
  ]], "1 1\n2 2\n3 3\n5 1\nfalse patch:4: each takes a Swift AsyncSequence, not a table")
end)

test("each closes what the host has to close", function()
  equal(play([[
    for x in each(io.stdout) do break end
  ]], nil, function(host)
    local closing <const> = setmetatable({}, { __close = function() host.log[1] = "closed" end })
    host.each = function() return function() return 1 end, closing end
  end), "")
  local _, host <const> = play([[ for _ in each(io.stdout) do break end ]], nil, function(host)
    local closing <const> = setmetatable({}, { __close = function() host.log[1] = "closed" end })
    host.each = function() return function() return 1 end, closing end
  end)
  equal(host.log[1], "closed")
end)

test("a continuation waits for what it is resumed with", function()
  equal(play [[
    say(select("#", continuation(function(resume) say(resume(1, nil)) end)))
    say(continuation(function(resume) after(2, resume, "later", nil) end))
    at()
    local reason = {}
    local ok, caught = pcall(continuation, function(_, fail) task(fail, reason) end)
    say(ok, caught == reason)
    try(continuation, function(_, fail) say(fail("at once", "ignored")) end)
  ]], "true\n2\nlater nil\n2\nfalse true\ntrue\nfalse at once")
end)

test("a continuation is resumed once", function()
  equal(play [[
    local resume, fail
    continuation(function(f, g)
      resume, fail = f, g
      f()
      try(function() f() return 1 end)
    end)
    try(function() resume() return 1 end)
    try(function() fail() return 1 end)
  ]], [[
false patch:5: resume comes too late: the continuation has already been resumed
false patch:7: resume comes too late: the continuation has already been resumed
false patch:8: fail comes too late: the continuation has already been resumed]])
end)

test("a continuation whose task was cancelled is resumed for nobody", function()
  equal(play [[
    local resume
    local t = task(function() continuation(function(f) resume = f end) end)
    sleep(1)
    t:cancel()
    try(t.wait, t)
    say(resume("nobody"))
  ]], "false CancellationError\nfalse")
end)

test("what begins a continuation can fail, and the continuation is forgotten", function()
  equal(play [[
    try(continuation, function() error("broken", 0) end)
    try(continuation, function(resume) resume(1) error("broken too", 0) end)
    local t = task(function()
      pcall(sleep, 100)
      continuation(function() error("cancelled too", 0) end)
    end)
    sleep(1)
    t:cancel()
    try(t.wait, t)
  ]], "false broken\nfalse broken too\nfalse cancelled too")
end)

-- Coroutines --------------------------------------------------------------------------------------

test("a coroutine of the script's own can wait", function()
  equal(play [[
    local co = coroutine.create(function(a)
      sleep(1)
      local b = coroutine.yield(a)
      sleep(1)
      return b, nil
    end)
    say(coroutine.resume(co, "a"))
    at(coroutine.status(co))
    say(select("#", coroutine.resume(co, "b")), coroutine.status(co))
    for x in coroutine.wrap(function() for i = 1, 3 do sleep(i) coroutine.yield(i) end end) do
      at(x)
    end
  ]], "true a\n1 suspended\n3 dead\n3 1\n5 2\n8 3")
end)

test("coroutines in coroutines can wait, and fail", function()
  equal(play [[
    local function nest(depth)
      if depth == 0 then
        sleep(1)
        coroutine.yield("deep")
        error("deep", 0)
      end
      local inner = coroutine.wrap(nest)
      coroutine.yield(inner(depth - 1))
      inner()
    end
    local co = coroutine.create(nest)
    say(coroutine.resume(co, 5))
    at(coroutine.resume(co))
    at(coroutine.status(co))
  ]], "true deep\n1 false " .. string.rep("patch:9: ", 5) .. "deep\n1 dead")
end)

test("a cancelled wait raises within the coroutine", function()
  equal(play [[
    local t = task(function()
      local co = coroutine.create(function()
        try(sleep, 100)
        sleep(1)
      end)
      say(coroutine.resume(co))
      say(coroutine.status(co))
    end)
    sleep(1)
    t:cancel()
  ]], "false CancellationError\nfalse CancellationError\ndead")
end)

test("a coroutine that waits is nobody else's", function()
  equal(play [[
    local co = coroutine.create(function() sleep(2) coroutine.yield("yielded") end)
    task(function()
      sleep(1)
      say(coroutine.status(co))
      say(coroutine.resume(co))
      try(function() coroutine.close(co) return 1 end)
    end)
    say(coroutine.resume(co))
    say(coroutine.status(co), coroutine.close(co), coroutine.status(co))
  ]], "normal\nfalse cannot resume non-suspended coroutine\n"
    .. "false patch:6: cannot close a normal coroutine\ntrue yielded\nsuspended true dead")
end)

test("the engine's coroutines are nobody's", function()
  equal(play [[
    local mine, is_main = coroutine.running()
    say(is_main, coroutine.status(mine), coroutine.isyieldable(), coroutine.isyieldable(mine))
    try(coroutine.yield, 1)
    say(coroutine.resume(mine))
    try(function() coroutine.close(mine) return 1 end)
    task(function()
      say(coroutine.status(mine))
      say(coroutine.resume(mine))
      try(function() coroutine.close(mine) return 1 end)
    end)
    sleep(1)
    coroutine.wrap(function()
      say(coroutine.status(mine), coroutine.isyieldable(), coroutine.isyieldable(mine))
    end)()
  ]], [[
false running false false
false attempt to yield from outside a coroutine
false cannot resume non-suspended coroutine
false patch:5: cannot close a running coroutine
normal
false cannot resume non-suspended coroutine
false patch:9: cannot close a normal coroutine
normal true false]])
end)

test("a coroutine cannot wait below what cannot be left", function()
  equal(play [[
    local co = coroutine.create(function()
      try(sleep, 1)
      coroutine.yield("goes on")
      sleep(1)
    end)
    string.gsub("xx", "x", function() say(coroutine.resume(co)) end)
    at()
    table.sort({ 1, 2 }, function() try(function() sleep(1) end) return false end)
  ]], [[
false it cannot wait here
true goes on
false it cannot wait here
0
false patch:8: sleep waits, and that is for overrides of async functions and for tasks: use ]]
    .. [[task(function() ... end)]])
end)

test("a coroutine begun in one call can wait in another", function()
  equal(play [[
    local co = coroutine.create(function()
      coroutine.yield(1)
      sleep(1)
      coroutine.yield(2)
    end)
    say(host.synchronously(coroutine.resume, co))
    task(function() say(coroutine.resume(co)) at() end):wait()
    say(coroutine.resume(co))
  ]], "true true 1\ntrue 2\n1\ntrue")
end)

test("pcall, metamethods and loops can wait", function()
  equal(play [[
    local slow = setmetatable({}, { __add = function(_, n) sleep(n) return n end,
      __index = function(_, name) sleep(1) return name end })
    at(slow + 2, slow.name)
    say(pcall(function() sleep(1) error("after", 0) end))
    do
      local _ <close> = setmetatable({}, { __close = function() sleep(1) at("closed") end })
    end
    at()
  ]], "3 2 name\nfalse after\n5 closed\n5")
end)

-- Against Lua's own -------------------------------------------------------------------------------

local programs <const> = {
  [[
    local co = coroutine.create(function(...)
      say(...)
      say(coroutine.yield(1, nil))
      return 2, nil
    end)
    say(select("#", coroutine.resume(co, "a", nil)))
    say(coroutine.status(co))
    say(coroutine.resume(co, nil, "b", nil))
    say(coroutine.resume(co))
    say(coroutine.status(co))
  ]],
  "local f = coroutine.wrap(function() error('x') end) try(f) try(f)",
  "local f = coroutine.wrap(function() error('x', 0) end) try(function() f() return 1 end)",
  "local f = coroutine.wrap(function() error({ 1 }) end) say(type(select(2, pcall(f))))",
  "local f = coroutine.wrap(function() error() end) try(f)",
  "local f = coroutine.wrap(function() return 1 end) say(f()) try(function() f() return 1 end)",
  "local f f = coroutine.wrap(function() f() end) try(f)",
  [[
    local co
    co = coroutine.create(function() return coroutine.resume(co) end)
    say(coroutine.resume(co))
  ]],
  "local co co = coroutine.create(function() coroutine.close(co) end) say(coroutine.resume(co))",
  [[
    local outer
    outer = coroutine.create(function()
      return coroutine.resume(coroutine.create(function()
        return coroutine.status(outer), coroutine.resume(outer)
      end))
    end)
    say(coroutine.resume(outer))
  ]],
  [[
    local co = coroutine.create(function()
      local x <close> = setmetatable({}, { __close = function(_, e) say("closed", e) end })
      coroutine.yield()
    end)
    coroutine.resume(co)
    say(coroutine.close(co))
    say(coroutine.status(co))
    say(coroutine.resume(co))
    say(coroutine.close(co))
  ]],
  [[
    local co = coroutine.create(function()
      local x <close> = setmetatable({}, { __close = function() error("closing", 0) end })
      coroutine.yield()
    end)
    coroutine.resume(co)
    say(coroutine.close(co))
    say(coroutine.status(co))
  ]],
  [[
    local f = coroutine.wrap(function()
      local x <close> = setmetatable({}, { __close = function(_, e)
        say(e)
        error("closing", 0)
      end })
      error("body", 0)
    end)
    try(f)
  ]],
  [[
    local co = coroutine.create(function()
      local x <close> = setmetatable({}, { __close = function(_, e) say(e) end })
      error("body", 0)
    end)
    say(coroutine.resume(co))
    say(coroutine.status(co))
    say(coroutine.close(co))
    say(coroutine.close(co))
  ]],
  "say(coroutine.close(coroutine.create(print)))",
  [[
    local co = coroutine.create(function()
      return coroutine.isyieldable(), coroutine.running()
    end)
    local _, can, self, main = coroutine.resume(co)
    say(can, self == co, main)
    say(coroutine.isyieldable(co))
  ]],
  [[
    local function count(n)
      return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end)
    end
    local function filter(p, numbers)
      return coroutine.wrap(function()
        for x in numbers do
          if x % p ~= 0 then coroutine.yield(x) end
        end
      end)
    end
    local numbers = count(60)
    numbers()
    for p in numbers do
      say(p)
      numbers = filter(p, numbers)
    end
  ]],
  [[
    local co = coroutine.create(function()
      table.sort({ 3, 2, 1 }, function(a, b) coroutine.yield(a) return a < b end)
    end)
    say(coroutine.resume(co))
  ]],
  [[
    local co = coroutine.create(function()
      local ok, e = pcall(function() coroutine.yield(1) error("in", 0) end)
      say(ok, e)
      coroutine.yield(2)
    end)
    while coroutine.status(co) ~= "dead" do say(coroutine.resume(co)) end
  ]],
  [[
    local co = coroutine.create(function(...) return select("#", ...), ... end)
    say(coroutine.resume(co, nil, nil))
  ]],
  [[
    local function f(n) return n == 0 and coroutine.yield() or n > 0 and f(n - 1) end
    local co = coroutine.create(f)
    say(coroutine.resume(co, 100))
    say(coroutine.resume(co, 7))
  ]],
  [[
    local co = coroutine.create(function()
      local function f() return 1 + f() end
      f()
    end)
    local ok, e = coroutine.resume(co)
    say(ok, e:match("stack overflow"))
  ]],
}

-- With arguments that are none.
for _, name in ipairs { "create", "wrap", "resume", "status", "close", "isyieldable" } do
  programs[#programs + 1] = string.format([[
    try(function() coroutine.%s(nil) return 1 end)
    try(function() coroutine.%s("x") return 1 end)
    if "%s" ~= "isyieldable" then try(function() coroutine.%s() return 1 end) end
  ]], name, name, name, name)
end

test("coroutines that do not wait are as Lua's own", function()
  for _, program in ipairs(programs) do
    local function run(library)
      local said <const> = {}
      local function say(...) said[#said + 1] = text_of(...) end
      local environment <const> = setmetatable({ coroutine = library, say = say,
        try = function(f, ...) say(pcall(f, ...)) end }, { __index = _G })
      -- In a coroutine, as there is no yielding from the engine's, or from the main one.
      local co <const> = library.create(assert(load(program, "=patch", "t", environment)))
      say(library.resume(co))
      return table.concat(said, "\n")
    end
    local expected <const> = run(TestRunner.coroutine)
    local host <const>, library <const> = AsyncHost.start()
    local found
    host.call(function() found = run(library.coroutine) end)
    equal(found, expected)
    assert(#found > 0)
  end
end)

test("random coroutines do the same with Lua's own library", function()
  local function run(library, seed)
    local state, said = seed, {}
    local function random(n)
      state = (state * 1103515245 + 12345) % 2147483648
      return state // 65536 % n + 1
    end
    local all <const> = {}
    local function name(co)
      for i, one in ipairs(all) do if one == co then return i end end
      return "?"
    end
    local function say(...) said[#said + 1] = text_of(...) end
    local budget = 200
    local body
    local function act()
      budget = budget - 1
      if budget < 0 then return end
      local what <const>, co <const> = random(9), all[random(#all)]
      if what <= 2 then
        all[#all + 1] = library.create(body)
      elseif what <= 5 then
        say("resume", name(co), library.resume(co, budget))
      elseif what == 6 then
        say("status", name(co), library.status(co), (library.isyieldable()))
      elseif what == 7 then
        say("close", name(co), pcall(library.close, co))
      elseif what == 8 and library.isyieldable() then
        say("back", library.yield(budget, nil))
      elseif random(4) == 1 then
        error("error " .. budget, 0)
      end
    end
    function body(...)
      say("begun", ...)
      for _ = 1, random(6) do act() end
      return budget
    end
    all[1] = library.create(body)
    while budget > 0 do pcall(act) end
    return table.concat(said, "\n")
  end
  for seed = 1, often(200) do
    local expected
    local outer <const> = TestRunner.coroutine.wrap(function()
      local own <const> = {}
      for name, f in next, TestRunner.coroutine do own[name] = f end
      local engine <const> = coroutine.running()
      -- This one stands for the engine's.
      own.isyieldable = function()
        return coroutine.running() ~= engine and TestRunner.coroutine.isyieldable()
      end
      expected = run(own, seed)
    end)
    outer()
    local host <const>, library <const> = AsyncHost.start()
    local found
    host.call(function() found = run(library.coroutine, seed) end)
    equal(found, expected)
  end
end)

-- Any order ---------------------------------------------------------------------------------------

--- A choice of its own for each seed.
local function picker(seed)
  local state = seed
  return function(count)
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % count + 1
  end
end

test("in whatever order they run, results and errors are the same", function()
  local script <const> = [[
    local tasks = {}
    for i = 1, 8 do
      tasks[i] = task(function()
        local sum = 0
        for x in coroutine.wrap(function()
          for k = 1, i do sleep(0) coroutine.yield(k) end
        end) do sum = sum + x end
        if i % 4 == 0 then error("number " .. i, 0) end
        return all{ function() sleep(0) return sum end, function() sleep(0) return nil end,
          function() return race{ function() return i end, function() sleep(5) end } end }
      end)
    end
    for i = 1, 8 do
      local r = table.pack(pcall(tasks[i].wait, tasks[i]))
      say(r.n, table.unpack(r, 1, r.n))
    end
  ]]
  local expected <const> = play(script)
  equal(expected, "4 true 1 nil 1\n4 true 3 nil 2\n4 true 6 nil 3\n2 false number 4\n"
    .. "4 true 15 nil 5\n4 true 21 nil 6\n4 true 28 nil 7\n2 false number 8")
  for seed = 1, often(100) do equal(play(script, picker(seed)), expected) end
end)

test("cancelling at any time ends everything, and each wait once", function()
  for seed = 1, often(200) do
    local random <const> = picker(seed)
    local said = play(string.format([[
      local tokens, ended = {}, 0
      local function work(depth)
        local _ <close> = setmetatable({}, { __close = function() ended = ended + 1 end })
        sleep(%d)
        if depth == 0 then return 1 end
        return #{ all{ function() return work(depth - 1) end,
          function()
            return race{ function() return work(depth - 1) end, function() sleep(3) end }
          end,
          function() return timeout(2, work, depth - 1) end } }
      end
      local begun = 0
      for i = 1, 5 do
        tokens[i] = task(function() begun = begun + 1 return work(2) end)
      end
      sleep(%d)
      for i = 1, 5, 2 do tokens[i]:cancel() end
      for i = 1, 5 do
        local ok, message = pcall(tokens[i].wait, tokens[i])
        if not ok and not tostring(message):find("CancellationError")
          and not tostring(message):find("timed out after 2 s") then say(message) end
      end
      if ended < begun then say("not all have ended") end
    ]], random(2) - 1, random(4) - 1), random)
    equal(said, "")
  end
end)

test("an override that is cancelled raises at its next wait", function()
  local said = {}
  local host <const>, library <const> = AsyncHost.start()
  host.call(function()
    library.after(1, host.cancel_main)
    said[1] = text_of(pcall(library.sleep, 5))
    said[2] = text_of(library.cancelled(), host.now())
  end)
  equal(table.concat(said, "\n"), "false CancellationError\ntrue 1.0")
end)

test("without the engine's key nothing that a coroutine yields is a wait", function()
  local host <const> = {}
  local library <const> = _G.coroutines(host)
  local co <const> = library.create(function() library.yield(nil, 1) library.yield() return 2 end)
  equal(text_of(library.resume(co)), "true nil 1")
  equal(text_of(library.resume(co)), "true")
  equal(text_of(library.resume(co)), "true 2")
end)

return runner
