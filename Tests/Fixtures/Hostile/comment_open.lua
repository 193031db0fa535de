return 'x' --[==[ never closed
