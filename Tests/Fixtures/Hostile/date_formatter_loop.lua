while true do local f = Foundation.DateFormatter() f.dateFormat = "yyyy" local x = f:string(Foundation.Date()) end
