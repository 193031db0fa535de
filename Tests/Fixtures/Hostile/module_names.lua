for i = 1, 1e6 do pcall(function() return Foundation["nix" .. i] end) end
