return (load or loadstring or loadfile or dofile or require)('os')
