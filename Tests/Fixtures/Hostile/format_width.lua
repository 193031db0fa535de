return string.format('%9999999d', 1)
