while true do log.info(('x'):rep(5000)) sleep(0) end
