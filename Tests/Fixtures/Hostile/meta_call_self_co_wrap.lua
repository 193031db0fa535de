local t = {} setmetatable(t, {__call = t}) while true do pcall(coroutine.wrap(t)) pcall(coroutine.wrap(function() t() end)) end
