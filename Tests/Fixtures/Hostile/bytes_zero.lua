return '\0' .. 'x'
