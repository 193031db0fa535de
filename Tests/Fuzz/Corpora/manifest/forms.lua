patch({name=[==[a]==];version=-0x1p4,build="00112233",expires="2027-01-31t00:00:00.5+01:00"})
function f() patch = 1 end
