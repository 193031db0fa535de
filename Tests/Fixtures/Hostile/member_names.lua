local C = class "Bank.Cage" for i = 1, 1e6 do pcall(function() return C["nix" .. i] end) end
