while true do objects() end
