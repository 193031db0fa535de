while true do tostring(typeof(class "Bank.Cage")) end
