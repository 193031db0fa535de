local t = {} for i = 1, 60000 do t[i * 131071] = true end for j = 1, 1e6 do local _ = t[j * 131071 + 1] end
