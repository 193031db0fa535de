-- a comment
--[==[ another ]==]
patch {
  name = "overdraft", version = 3, program = 'bankd'; build = { "3F2A9c00", [[00112233]] },
  limits = { instructions = 5e6, ["memory"] = "8M", milliseconds = 0x14 },
  serial = 2026112201, expires = "2027-01-31T00:00:00Z", on_error = "throw", parallel = true,
  capabilities = { "coroutine" }, overrides = { "bankd.Account.withdraw(_:memo:)", "\u{41}\x41\065\z
  b" },
}
local Account = class "bankd.Account"
