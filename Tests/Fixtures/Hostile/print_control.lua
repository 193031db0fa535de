print('\27[2J\r\nforged line\0')
