local t <close> = nil local u <close> = false return 'x'
