for w in coroutine.wrap(function() for w in ('a '):rep(1e5):gmatch('%a') do coroutine.yield(w) end end) do end
