local co = coroutine.wrap(function() return ('abc'):gsub('.', coroutine.yield) end) co() co()
