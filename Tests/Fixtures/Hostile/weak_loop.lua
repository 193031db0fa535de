while true do pcall(weak, {}) end
