rawset(_G, 'class', nil) rawset(_G, 'log', nil) return tostring(pcall(log.info, 'x'))
