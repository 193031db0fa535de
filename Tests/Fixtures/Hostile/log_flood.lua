for i = 1, 1e6 do log.warn('flood', {i = i}) end
