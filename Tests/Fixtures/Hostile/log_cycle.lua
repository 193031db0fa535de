local t = {} t.t = t log.info('x', t)
