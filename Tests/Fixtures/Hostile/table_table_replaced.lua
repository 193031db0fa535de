for k in pairs(table) do table[k] = function() while true do end end end log.info('x', {a = 1}) print('y', 'z')
