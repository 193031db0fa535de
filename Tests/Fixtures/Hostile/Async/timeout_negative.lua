timeout(-1, sleep, 1)
