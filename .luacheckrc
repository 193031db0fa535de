-- SPDX-License-Identifier: MIT
std = "lua54"
max_line_length = 100
-- As hostile people write, and what fuzzers begin with.
exclude_files = { "Tests/Fixtures/Hostile", "Tests/Fuzz/Corpora" }

-- What a patch sees besides Lua's own libraries: the globals that are defined for editors.
local globals = {}
-- The first loader is luacheck's: it looks beside this file.
local loaders = package.loaders or package.searchers -- luacheck: ignore 143
local definitions = loaders[1]("lua.meta.globals")
for line in io.lines(debug.getinfo(definitions, "S").source:sub(2)) do
  globals[#globals + 1] = line:match("^function (%w[%w_]*)%(") or line:match("^(%w[%w_]*) = ")
end
local patch = {
  read_globals = globals,
  -- After `waxClass`, a global function is an override and is called from Swift only.
  allow_defined = true,
  ignore = { "131" },
}
files["examples/*/patches"] = patch
files["examples/library"] = patch
files["Tests/**/Patches"] = patch
files["lua/library"] = { read_globals = patch.read_globals, max_line_length = 120 }
files["lua/tools"] = { read_globals = patch.read_globals }
files["lua/waxwing/describe.lua"] = { read_globals = { "reveal" } }
files["lua/tools/trace.lua"] = { read_globals = { "answer", "callers", "separately" } }
files["lua/tools/record.lua"] = { read_globals = { "answer", "separately" } }
files["lua/tools/instances.lua"] = { read_globals = { "answer" } }
files["Tests/LibraryTests/Specs/wax*.lua"] = { allow_defined = true, ignore = { "111", "131" } }
files["Tests/LibraryTests/Specs/jspatch*.lua"] = { ignore = { "113" } }
files["Tests/LibraryTests/Specs"] = { read_globals = patch.read_globals, max_line_length = 120 }

-- The C side's.
files["lua/waxwing/prelude.lua"] = { read_globals = { "weak" } }

-- Their globals are Foundation's types.
files["examples/foundation.lua"] = { ignore = { "113" } }
files["examples/http_client.lua"] = { ignore = { "113" } }
