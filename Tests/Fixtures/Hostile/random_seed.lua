math.randomseed(1)
