-- SPDX-License-Identifier: MIT
--
-- What the prelude promises to patches. Each test runs patches in an environment of its own and
-- compares what came of them, and what the host was asked, as text.

local prelude <const>, TestHost <const> = _G.prelude, _G.TestHost

local runner <const> = _G.TestRunner.new()

local function test(name, body)
  runner:test(name, body)
end

local function equal(found, expected)
  if found ~= expected then
    error(string.format("found\n%s\nexpected\n%s", found, expected), 2)
  end
end

--- Runs a patch; its failure is its last line.
local function run(environment, text, ...)
  local chunk <const> = assert(load(text, "=patch", "t", environment))
  local results <const> = table.pack(pcall(chunk, ...))
  return table.unpack(results, 2, results.n)
end

--- Runs a patch with a host of its own. Returns what the host was asked, and the patch's result.
---@param change function?  changes the host first
local function record(text, modules, full, change)
  local host <const>, environment <const> = TestHost.start(prelude, modules, full)
  if change then change(host) end
  local result <const> = run(environment, text)
  return table.concat(host.record, "\n"), result, host
end

-- Advice ------------------------------------------------------------------------------------------

test("advice is for a function of the type object it is given to", function()
  local asked <const>, result <const> = record [[
    local Account <const> = class "Account"
    Account:before("deposit", print)
    Account.get:after("title", print, {})
    Account.static:instead("make", print)
    module("Bank"):after("fee", print)
    return tostring(Account:before("deposit", print)) .. thread()
  ]]
  local advice <const> = {}
  for line in string.gmatch(asked, "[^\n]+") do
    if string.find(line, "function") then advice[#advice + 1] = line end
  end
  equal(table.concat(advice, "\n"), [[
before type Bank.Account method deposit function
after type Bank.Account getter title function with options
instead static Bank.Account method make function
after module Bank method fee function
before type Bank.Account method deposit function]])
  equal(result, "token7")
end)

test("a patch that takes part in some calls has wrapped overrides, and nothing for all", function()
  local host <const>, environment <const> = TestHost.start(prelude, nil, false, { mode = "part" })
  local refused <const> = run(environment, [[
    local Account <const> = class "Account"
    function Account:deposit() end
    function Account.static:open() end
    local reasons <const> = {}
    for _, f in ipairs {
      function() Account:before("deposit", print) end, function() class("Mine", "Account") end,
      function() conform("Account", "Hashable") end, function() Account.deinit(print) end,
    } do
      local _, message <const> = pcall(f)
      reasons[#reasons + 1] = string.match(message, "patch:%d+: (.*) there for all calls")
    end
    return table.concat(reasons, ", ") .. "; " .. original()
  ]])
  equal(refused, "advice is, a class is, a conformance is, what `deinit` declares is; stand-in")
  local asked <const> = table.concat(host.record, "\n")
  assert(string.find(asked, "selecting part describing\nwrap type Bank.Account method deposit "
    .. "Bank.Account.deposit\noverride type Bank.Account method deposit", 1, true), asked)
  assert(string.find(asked, "wrap static Bank.Account method open Bank.Account.static.open", 1,
    true), asked)
end)

test("in a shell, nil ends an override; only patches of the engine's own see callers", function()
  local host <const>, environment <const> = TestHost.start(prelude, nil, false, nil, "shell")
  host.withdraw = function(scope, kind, name)
    host.withdrawn = table.concat({ scope.kind, scope.name, kind, name }, " ")
  end
  run(environment, [[ class("Account").deposit = nil ]])
  equal(host.withdrawn, "type Bank.Account method deposit")
  local watcher <const>, watching <const> = TestHost.start(prelude, nil, false, nil, "watch")
  equal(rawget(environment, "callers"), nil)
  equal(rawget(watching, "callers")(), "1a2b")
  equal(rawget(environment, "answer"), nil)
  watcher.answer = function(question, f) watcher[question] = f end
  watcher.reply = function(number, value) watcher.replied = number .. ": " .. value.after end
  run(watching, [[ answer("kept", function(reply, after) reply { after = after } end) ]])
  watcher.kept(7, 5)
  equal(watcher.replied, "7: 5")
end)

test("a function of Swift's that is called like advice is called as ever", function()
  local _, result <const> = record [[
    local Account <const> = class "Account"
    return Account.before() .. ", " .. Account:after("deposit")
  ]]
  equal(result, "the member before, the member after")
end)

test("advice is added with a colon, to a name", function()
  local _, result = record('class("Account").before("deposit", print)', nil, nil,
    function(host) host.own_member = function() end end)
  equal(result, "patch:1: call it with `:`, as Bank.Account:before(name, f)")
  _, result = record 'class("Account"):before(12, print)'
  equal(result, "patch:1: a Swift name is a string, not a number")
end)

test("a name that is far too long is refused", function()
  local _, result <const> = record 'class(("x."):rep(5000))'
  equal(result, "patch:1: a Swift name of 10000 bytes is too long: " .. ("x."):rep(20) .. "…")
end)

-- class -------------------------------------------------------------------------------------------

test("a function assigned to a class is an override", function()
  equal(record [[
    local Account = class "Account"
    function Account:withdraw(amount) return amount end
    Account["deposit(_:memo:)"] = function() end
    function Account.get:title() end
    function Account.set:title(title) end
    function Account.static:open() end
    function Account.static.get:count() end
    function Account.static.set:count(n) end
  ]], [[
type_object Bank.Account
override type Bank.Account method withdraw
override type Bank.Account method deposit(_:memo:)
override type Bank.Account getter title
override type Bank.Account setter title
override static Bank.Account method open
override static Bank.Account getter count
override static Bank.Account setter count]])
end)

test("a method is added in so many words, to instances or to the type", function()
  local asked <const>, results <const>, host <const> = record [[
    local Account = class "Account"
    Account:method("greeting", function(self, n) return tostring(self) .. n end)
    Account.static:method("open", function(self, n) return tostring(self) .. n end)
    return Account.open(1) .. Account:open(2) .. Account.static.open(3) .. Account.static:open(4)
      .. Account.greeting("x", 5)
  ]]
  equal(results, "Bank.Account1Bank.Account2Bank.Account3Bank.Account4x5")
  equal(asked:match("method type [^\n]*"), "method type Bank.Account greeting")
  equal(asked:match("method static [^\n]*"), "method static Bank.Account open")
  equal(host.methods["static Bank.Account open"]("self", 1), "self1")
end)

test("of super, a method gets the whole object", function()
  local _, _, host <const> = record [[
    class("Account"):method("greeting", function(self, n) return self .. n end)
  ]]
  equal(host.of_super("a part", 7), "the whole of a part7")
end)

test("a method has a name and a function", function()
  for text, message in pairs {
    [ [[("greeting", 7)]] ] = "patch:1: the method `greeting` is a function, not a number",
    [ [[("a:b", print)]] ] = "patch:1: the name of a method is a word, not `a:b`",
    [ [[(7, print)]] ] = "patch:1: a Swift name is a string, not a number",
    [ [[("super", print)]] ] = "patch:1: `super` has a meaning of its own, and cannot be a method",
    [ [[("field", print)]] ] = "patch:1: `field` has a meaning of its own, and cannot be a method",
  } do
    local _, result <const> = record("class('Account'):method" .. text)
    equal(result, message)
  end
end)

test("on takes an event and a function", function()
  local asked <const>, _, host <const> = record [[on("ending", function() return 7 end)]]
  equal(asked, "on ending")
  equal(host.callback(), 7)
  for _, text in ipairs { "on()", "on('ending')", "on(function() end)", "on('ending', 7)" } do
    local _, result <const> = record(text)
    equal(result, 'patch:1: on takes the name of an event and a function: '
      .. 'on("ending", function() ... end)')
  end
end)

test("a class is one table under both of its names", function()
  local asked <const>, same <const> = record [[return class "Account" == class "Bank.Account"]]
  equal(asked, "type_object Bank.Account")
  equal(same, true)
end)

test("a class's static type object is what the host gets for static methods", function()
  local _, type_object <const>, host <const> = record [[return class("Account").static]]
  equal(host.type_objects["Bank.Account"], type_object)
end)

test("ORIG and a name is the original, anything else a member", function()
  local asked <const>, results <const> = record [[
    local Account, Bank = class "Account", module "Bank"
    return table.concat({
      Account.ORIGwithdraw(), Account.get.ORIGtitle(), Account.static.ORIGopen(),
      Bank.ORIGfee(), Bank.fee(), Account.static.open(), Account.static.ORIG(),
    }, ", ")
  ]]
  equal(asked, [[
type_object Bank.Account
original type Bank.Account method withdraw
original type Bank.Account getter title
original static Bank.Account method open
original module Bank method fee
member module Bank method fee
member static Bank.Account method open
member static Bank.Account method ORIG]])
  equal(results, "the original withdraw, the original title, the original open, "
    .. "the original fee, the member fee, the member open, the member ORIG")
end)

test("static members have a super, and that one too", function()
  local asked <const>, results <const> = record [[
    local super <const> = class("Account").static.super
    local done <const>, message <const> = pcall(function() super.make = print end)
    return table.concat({
      tostring(super), super.title, super:make(1), super.make(1, 2), tostring(super.super),
      tostring(done), message,
    }, ", ")
  ]]
  equal(asked, [[
type_object Bank.Account
super Bank.Account
super_member Bank.Account Bank.Base title
super_member Bank.Account Bank.Base make
super_member Bank.Account Bank.Base make
super Bank.Account Bank.Base]])
  equal(results, "Bank.Base, the title, make1, make2, Bank.Root, false, patch:2: override it in "
    .. 'the class: class("Bank.Base").static.make = f')
end)

test("a static property is set by way of super", function()
  local asked <const>, result <const>, host <const> = record [[
    local super <const> = class("Account").static.super
    super.shared = 5
    local _, message <const> = pcall(function() super.other = 5 end)
    return message
  ]]
  equal(asked, [[
type_object Bank.Account
super Bank.Account
super_setter Bank.Account Bank.Base shared
super_setter Bank.Account Bank.Base other]])
  equal(host.shared, 5)
  equal(result, "patch:3: Bank.Base has no static property `other` that can be set")
end)

test("rawset is Lua's own, but no way to override", function()
  local _, result <const> = record [[
    local plain <const> = rawset({}, "a", 1)
    local done <const>, message <const> = pcall(rawset, class "Account", "deposit", print)
    return plain.a .. tostring(done) .. message
  ]]
  equal(result, "1falserawset does not override anything: assign to it, "
    .. 'Bank.Account["deposit"] = f')
end)

test("what the host makes of a type's name is the type's type object", function()
  local _, type_object <const>, host <const> = record [[return class "Account"]]
  equal(host.make("Bank.Account"), type_object)
  equal(host.object_of_type, type_object)
end)

test("calling a type object makes an instance; the initializer is looked up once", function()
  local asked <const>, made <const> = record [[
    local Account = class "Account"
    return Account("Ada", 1) .. "; " .. Account()
  ]]
  equal(asked, "type_object Bank.Account\ninitializer Bank.Account")
  equal(made, "a new Bank.Account of Ada, 1; a new Bank.Account of ")
end)

test("a static function is called with a dot or a colon, and gets the arguments alone", function()
  local asked <const>, results <const> = record [[
    local Account = class "Account"
    local parts = {}
    for _, results in ipairs {
      { Account.make() }, { Account:make() }, { Account.make(1, nil) }, { Account:make(1, nil) },
      { Account.static:make(Account) }, { Account.make(nil) },
    } do
      parts[#parts + 1] = tostring(results[1]) .. tostring(results[2])
    end
    return table.concat(parts, " ")
  ]]
  equal(results, "0nil 0nil 21 21 1Bank.Account 1nil")
  equal(asked, "type_object Bank.Account\nmember type Bank.Account method make\n"
    .. "member static Bank.Account method make")
end)

test("a static property is asked for each time, its getter once", function()
  local asked <const>, values <const> = record [[
    local Account = class "Account"
    Account.shared = 1
    local first = Account.shared
    Account.shared = "two"
    return first .. " " .. Account.shared
  ]]
  equal(values, "1 two")
  equal(asked, [[
type_object Bank.Account
setter type Bank.Account method shared
member type Bank.Account method shared
setter type Bank.Account method shared]])
end)

test("a type inside another, or of a module, is a type object as well", function()
  local _, same <const> = record [[
    return class("Account").Fees == class "Fees" and module("Bank").Fees == class "Fees"
  ]]
  equal(same, true)
end)

test("a copy that a static property gave remembers where it came from", function()
  local _, type_object <const>, host <const> = record [[
    local Account = class "Account"
    Account.shared = null
    assert(Account.shared == null and Account.shared == null)
    return Account
  ]]
  equal(host.connected[1], type_object)
  equal(host.connected[2], "shared")
  equal(host.connected[3], host.null)
end)

test("a type that is not there is the host's error", function()
  local _, message <const> = record [[class "Acount"]]
  equal(message:match("no type.*"), "no type `Acount`")
end)

for _, call in ipairs { "class()", "class(1)", "module {}", "class('Account')[1] = print",
  "module('Bank')[true]()", "require(nil)" } do
  test("a name has to be a string: " .. call, function()
    local _, message <const> = record(call)
    equal(message:match("^patch:1: a Swift name is a string, not a ") ~= nil, true)
  end)
end

test("an override has to be a function", function()
  local _, message <const> = record [[class("Account").withdraw = 12]]
  equal(message, "patch:1: Bank.Account has no property `withdraw` of its own that can be set, "
    .. "and an override is a function, not a number")
end)

test("a field is declared with its default, or a function that makes it", function()
  equal(record [[
    local Account = class "Account"
    Account:field("tries", 0)
    Account:field("seen", function() return {} end)
    Account:field("friend")
  ]], [[
type_object Bank.Account
field Bank.Account tries number false
field Bank.Account seen function true
field Bank.Account friend nil false]])
end)

for call, expected in pairs {
  ["field(12)"] = "patch:1: a Swift name is a string, not a number",
  ["field('a-b', 0)"] = "patch:1: the name of a field is a word, not `a-b`",
  ["field('seen', {})"] = "patch:1: all objects would share the table that `seen` has as default; "
    .. "give a function that makes one: function() return {} end",
} do
  test("a field that cannot be: " .. call, function()
    local _, message <const> = record("class('Account'):" .. call)
    equal(message, expected)
  end)
end

test("typeof a class lists the type, by way of either type object", function()
  local asked <const>, text <const> = record [[
    local Account = class "Account"
    local listing = typeof(Account)
    assert(listing == typeof(Account.static) and listing.name == "Bank.Account")
    return tostring(listing)
  ]]
  equal(asked, "type_object Bank.Account\ntypeNamed Bank.Account\ntypeNamed Bank.Account")
  equal(text, "class Bank.Account: Bank.Base, Hashable\n  var balance: Int\n  func audit()")
end)

test("typeof lists a type once what it has is asked for", function()
  local asked <const>, text <const> = record [[
    local listing = typeof(class "Bank.Brief")
    local keys = {}
    local head = listing.name .. listing.kind .. listing.superclass
    assert(listing == typeof(class "Bank.Brief") and listing.unknown == nil)
    local first = listing.members[1] .. listing.protocols[1]
    for key in pairs(typeof(class "Bank.Brief")) do keys[#keys + 1] = key end
    table.sort(keys)
    return table.concat({ head, first, table.unpack(keys) }, ", ")
  ]]
  equal(asked, "type_object Bank.Brief\ncomplete_type the type\ncomplete_type the type")
  equal(text, "Bank.BriefclassBank.Base, func audit()Hashable, "
    .. "kind, members, name, protocols, superclass")
end)

test("typeof a value is its type, or what Lua calls it", function()
  local _, text <const> = record [[
    return table.concat({ tostring(typeof(null)), typeof(5), typeof(0.5), typeof("s"), typeof(nil),
      typeof({}), tostring(typeof(module "Bank")) }, ", ")
  ]]
  equal(text, "struct Bank.Empty, integer, float, string, nil, table, module Bank\n  class Account")
end)

test("typeof with a text lists what contains it", function()
  local _, text <const> = record [[return tostring(typeof(class "Account", "AUDIT"))]]
  equal(text, "class Bank.Account: Bank.Base, Hashable\n  func audit()")
end)

--- Something of the shell's, and the environment that it is for.
local function of_shell(name)
  local _, environment <const> = TestHost.start(prelude, nil, true)
  local found <const> = rawget(_G, name)
  rawset(_G, "waxwing.show", nil)
  rawset(_G, "waxwing.complete", nil)
  rawset(_G, "waxwing.globals", nil)
  return found, environment
end

--- What is printed meanwhile.
local function printed(body, ...)
  local lines <const> = {}
  local original <const> = print
  _G.print = function(...) lines[#lines + 1] = table.concat({ ... }, " ") end
  local ok <const>, message <const> = pcall(body, ...)
  _G.print = original
  assert(ok, message)
  return table.concat(lines, "\n")
end

--- What the shell prints for a chunk, whose first result is not shown.
local function shown(text)
  local show <const>, environment <const> = of_shell "waxwing.show"
  return printed(show, assert(load(text, "=shell", "t", environment)))
end

test("the shell shows results, and tables with what is in them", function()
  equal(shown "return nil, 1, 'a', nil", "1\ta\tnil")
  equal(shown "return", "")
  equal(shown "return nil, {1, 'a', {x = 0.5}, {[true] = {}}}",
    '{1, "a", {x = 0.5}, {[true] = {}}}')
  equal(shown "return nil, {b = 2, 1, a = 1, [9] = 9}", "{1, [9] = 9, a = 1, b = 2}")
  equal(shown "return nil, {{{{1}}}}", "{{{{…}}}}")
  equal(shown "return nil, setmetatable({}, {__tostring = function() return 'own' end})", "own")
  equal(shown "local t = {} for i = 1, 50 do t[i] = i end return nil, t",
    "{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, "
    .. "26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, …}")
  equal(shown "return nil, ('ä'):rep(5000)", string.rep("ä", 1000) .. "… (10000 bytes)")
end)

test("the shell shows that a table with many keys goes on", function()
  local text <const> = shown "local t = {} for i = 1, 50 do t['k' .. i] = i end return nil, t"
  equal(select(2, string.gsub(text, " = ", "")), 40)
  equal(string.sub(text, -6), ", …}")
end)

test("help explains the shell, or lists what something has", function()
  equal(string.sub(shown "return nil, help", 1, 8), "Lua 5.4 ")
  equal(shown "help()", shown "return nil, help")
  equal(shown "help(class 'Account', 'balance')",
    "class Bank.Account: Bank.Base, Hashable\n  var balance: Int")
end)

test("names are completed: globals, members, keys", function()
  local complete <const>, environment <const> = of_shell "waxwing.complete"
  local function words(text) return table.concat({ complete(text) }, " ") end
  environment.account = environment.class "Account"
  environment.data = { first = { second = 1 }, ["no name"] = 2 }
  equal(words "typ", "type typeof")
  equal(words "Ac", "Account")
  equal(words "data.f", "data.first")
  equal(words "data.first.", "data.first.second")
  equal(words "account.b", "account.balance")
  equal(words "Bank.A", "Bank.Account")
  equal(words "data.first.second.x", "")
  equal(words "nothing.x", "")
  equal(words "1+", "")
end)

test("the globals of a script are listed", function()
  local globals <const>, environment <const> = of_shell "waxwing.globals"
  environment.answer, environment[1] = 42, true
  local names <const> = "\n" .. globals() .. "\n"
  equal(string.find(names, "\nanswer\n", 1, true) ~= nil, true)
  equal(string.find(names, "\nclass\n", 1, true) ~= nil, true)
  equal(string.find(names, "\n1\n", 1, true), nil)
end)

test("what the script holds can be counted", function()
  local _, count <const> = record [[return objects()["Bank.Account"] ]]
  equal(count, 2)
end)

test("a class and its parts say what they are, and their metatables are closed", function()
  local _, text <const> = record [[
    local Account, Bank = class "Account", module "Bank"
    local parts = {}
    for i, part in ipairs { Account, Account.get, Account.set, Account.static, Account.static.get,
      Account.static.set, Bank, Bank.get, Bank.set } do
      assert(getmetatable(part) == false)
      assert(not pcall(setmetatable, part, {}))
      parts[i] = tostring(part)
    end
    return table.concat(parts, " ")
  ]]
  equal(text, "Bank.Account Bank.Account.get Bank.Account.set Bank.Account.static "
    .. "Bank.Account.static.get Bank.Account.static.set Bank Bank.get Bank.set")
end)

-- module ------------------------------------------------------------------------------------------

test("a function assigned to a module is an override of a free function", function()
  equal(record [[
    local Bank = module "Bank"
    function Bank.fee(amount) return amount end
    function Bank.get.rate() end
    function Bank.set.rate() end
    assert(Bank == module "Bank")
  ]], [[
override module Bank method fee
override module Bank getter rate
override module Bank setter rate]])
end)

test("a module that is not there is the host's error", function()
  local _, message <const> = record [[module "Bnak"]]
  equal(message:match("no module.*"), "no module `Bnak`")
end)

-- Classes -----------------------------------------------------------------------------------------

test("a class is made with its functions, and of it objects", function()
  local asked <const>, result <const>, host <const> = record [[
    local Account <const> = class "Account"
    local Frozen <const> = class("Frozen", Account)
    function Frozen:withdraw() return "frozen" end
    function Frozen.get:title() end
    function Frozen.set:title() end
    function Frozen.static:make() return self end
    function Frozen:deinit() end
    Frozen:field("tries", 0)
    function Frozen:init(...) self.super:init(...) end
    local made <const> = Frozen.static(1, 2)
    assert(Frozen(1))
    assert(class "Frozen" == Frozen and tostring(Frozen) == "Frozen")
    assert(Frozen.withdraw() == "frozen" and Frozen.static.make and Frozen.make() == Frozen)
    assert(tostring(Frozen.get) == "Frozen.get" and Frozen.get.title and not Frozen.get.other)
    assert(Frozen.other() == "other0" and Frozen.title == "the title")
    assert(Frozen.super.audit(1) == "audit1" and Frozen.static.super.audit() == "audit0")
    assert(Frozen.static.type == Frozen and Frozen.static:other() == "other0")
    assert(Frozen.added() == "Frozen" and Frozen:added() == "Frozen")
    return made.number
  ]]
  equal(asked, [[
type_object Bank.Account
subclass Frozen Bank.Account false
class_function 0 init false init
class_object 0
class_function 0 method false withdraw
class_function 0 getter false title
class_function 0 setter false title
class_function 0 method true make
class_function 0 deinit false deinit
class_field 0 tries number false
init 0 2
init 0 1
class_static 0 other nil
class_static 0 title nil
class_static 0 audit 0
class_static 0 audit 0
class_static 0 other nil
class_static 0 added nil
class_static 0 added nil]])
  equal(result, 0)
  host.functions["0withdraw"]()
  equal(pcall(host.of_super, "part"), true)
end)

test("a class has static properties", function()
  local asked <const>, result <const>, host <const> = record [[
    local Frozen <const> = class("Frozen", "Account")
    function Frozen.static.get:shared() return 1 end
    function Frozen.static.set:shared(value) self.super.shared = value + 1 end
    assert(tostring(Frozen.static.get) == "Frozen.static.get")
    assert(Frozen.shared == 1 and Frozen.static.shared == 1)
    Frozen.shared = 4
    Frozen.static.shared = 5
    Frozen.static.super.shared = 6
    local _, message <const> = pcall(function() Frozen.static.super.other = 5 end)
    return message
  ]]
  equal(asked, [[
subclass Frozen Account false
class_function 0 init false init
class_object 0
class_function 0 getter true shared
class_function 0 setter true shared
class_static_setter 0 shared 0
class_static_setter 0 shared 0
class_static_setter 0 shared 0
class_static_setter 0 other 0]])
  equal(host.shared, 6)
  equal(result, "patch:9: Frozen.super has no static property `other` that can be set, and a "
    .. "method is a function, not a number")
end)

test("a class of a class, of none, and of one by its name", function()
  equal((record [[
    local A <const> = class("A", "Account")
    local B <const> = class("B", A)
    local C <const> = class("C", "B")
    local D <const> = class("D", nil)
  ]]), [[
subclass A Account false
class_function 0 init false init
class_object 0
subclass B 0 false
class_function 1 init false init
class_object 1
subclass C 1 false
class_function 2 init false init
class_object 2
subclass D nil false
class_function 3 init false init
class_object 3]])
end)

test("a static function is seen from the class that has it", function()
  local _, result <const> = record [[
    local A <const> = class("A", nil)
    local B <const> = class("B", A)
    function A.static:named(name)
      self["do" .. name] = print
      return tostring(self) .. self.super.audit() .. self.audit(1) .. self(name).number
    end
    return B.named("x") .. " " .. A.named("y")
  ]]
  equal(result, "Baudit0audit11 Aaudit0audit10")
end)

test("what a superclass's initializer makes of an object", function()
  local _, result <const> = record [[
    local A <const> = class("A", nil)
    assert(A(1) and A(false) == nil)
    function A:init(how)
      if how == "nothing" then return end
      self.super:init()
      return nil
    end
    assert(A("fails") == nil)
    return select(2, pcall(A, "nothing"))
  ]]
  equal(result, "the initializer of A did not call self.super:init(…)")
end)

test("a class conforms to protocols once all of its functions are known", function()
  local asked <const>, _, host <const> = record([[
    local A <const> = class("A", nil, { "Greeter", "Named" }, { types = { Element = "Int" } })
    function A:greet() return "A" end
    function A.get:title() return "title" end
    function A.set:title(value) self.value = value end
    local B <const> = class("B", A)
    function B:greet() return "B" end
    function B.get:title() return "B" end
    function B.set:title(value) end
  ]], nil, nil, function(host)
    host.needed = "1 key method greet\n2 key getter title\n3 key setter title"
  end)
  host.record = {}
  host.ended()
  equal(table.concat(host.record, "\n"), [[
conform #0 Greeter getter title
method greet
setter title Element=Int lenient
witness 1 1 function
witness 1 2 function
witness 1 3 function
conform #0 Named getter title
method greet
setter title Element=Int lenient
witness 1 1 function
witness 1 2 function
witness 1 3 function]])
  local object <const> = { greet = function(_, n) return n end, title = "t" }
  equal(host.witnesses[1](object, 3), 3)
  equal(host.witnesses[2](object), "t")
  host.witnesses[3](object, "u")
  equal(object.title, "u")
  host.ended()
  assert(asked)
end)

test("static requirements are those of the class that is asked", function()
  local _, _, host <const> = record([[
    local A <const> = class("A", nil, { "Greeter" })
    function A.static:greet() return "A" end
    function A.static.get:limit() return 1 end
    function A.static.set:limit(value) self.value = value end
    local B <const> = class("B", A)
    function B.static:greet() return "B" end
    function B.static.get:limit() return 2 end
    function B.static.set:limit(value) end
  ]], nil, nil, function(host)
    host.needed = "1 key static method greet\n2 key static getter limit\n3 key static setter limit"
  end)
  host.ended()
  local class <const> = { greet = function(_, n) return n end, limit = 4 }
  equal(host.witnesses[1](class, 3), 3)
  equal(host.witnesses[2](class), 4)
  host.witnesses[3](class, 5)
  equal(class.limit, 5)
end)

test("what is missing is said with the place of the class", function()
  local _, _, host <const> = record('class("A", nil, { "Greeter" })')
  host.refusal = "Greeter requires more"
  equal(select(2, pcall(host.ended)), "patch:1: Greeter requires more")
end)

for text, message in pairs {
  ['class("A", nil, "P")'] = "the protocols of `A` are a table of names, not a string",
  ['class("A", nil, { 1 })'] = "a Swift name is a string, not a number",
  ['class("a b", nil)'] = "the name of a class is a word, not `a b`",
  ['class("A", 12)'] = "the superclass of `A` is a class or its name, not a number",
  ['class("A", {})'] = "the superclass of `A` is a class or its name, not a table",
  ['class("A", module "Bank")'] = "the superclass of `A` is a class or its name, not a table",
  ['class("A", nil).title = 3'] = "A has no static property `title` that can be set, and a "
    .. "method is a function, not a number",
  ['class("A", nil).super = print'] = "`super` has a meaning of its own in A",
  ['class("A", nil).get.title = 3'] = "`title` of A.get is a function, not a number",
} do
  test("a class that cannot be: " .. text, function()
    local _, result <const> = record(text)
    equal(string.match(result, ": (.*)"), message)
  end)
end

test("a function is told of the ends of objects", function()
  local _, result = record([[
    local Account <const>, ends <const> = class "Account", {}
    Account:deinit(function(self) ends[#ends + 1] = self end)
    Account:deinit(function(...) ends[#ends + 1] = select("#", ...) end, { after = true })
    return table.concat(ends, " ")
  ]], nil, nil, function(host) host.running = function() end end)
  equal(result, "self 0")
  _, result = record [[class("Account"):deinit(12)]]
  equal(result, "patch:1: deinit takes a function, not a number")
  _, result = record [[class("Account"):deinit(print, { late = true })]]
  equal(result, "patch:1: the options of deinit are { after = true }")
end)

-- Wax's spelling ----------------------------------------------------------------------------------

test("waxClass takes a word for the name of a class that it makes", function()
  local _, message <const> = record('waxClass{"Bank.Frozen", "Account"}')
  equal(message, "patch:1: the name of a class is a word, not `Bank.Frozen`")
end)

test("waxClass makes a class if it is given a superclass", function()
  equal((record [[
    waxClass{"Frozen", "Account"}
    function withdraw(self) end
  ]]), [[
subclass Frozen Account false
class_function 0 init false init
class_object 0
class_function 0 method false withdraw]])
end)

test("after waxClass a global function is an override of that class", function()
  equal(record [[
    function helper() end
    waxClass{"Account"}
    function withdraw_memo(self, amount, memo) end
    limit = 3
    waxClass{"Fees"}
    function fee_on(self, amount) end
    assert(limit == 3 and helper)
  ]], [[
type_object Bank.Account
override type Bank.Account method withdraw_memo
type_object Bank.Fees
override type Bank.Fees method fee_on]])
end)

for _, argument in ipairs { "'Account'", "{}", "nil", "{ 1 }" } do
  test("waxClass takes a table with a name: " .. argument, function()
    local _, message <const> = record("waxClass(" .. argument .. ")")
    equal(message,
      'patch:1: waxClass takes a table with a class\'s name: waxClass{"Bank.Account"}')
  end)
end

-- The environment ---------------------------------------------------------------------------------

test("an undefined variable is an error that names it", function()
  local _, message <const>, host <const> = record [[return limit]]
  equal(message, "patch:1: undefined variable `limit`")
  equal((" " .. host.known .. " "):match(" class ") ~= nil, true)
end)

test("one that is nearly right comes with a suggestion", function()
  local _, message <const> = record [[return clas "Account"]]
  equal(message, "patch:1: undefined variable `clas`; did you mean `class`?")
end)

test("a key that is no name is an error as well", function()
  local _, message <const> = record [[return _ENV[12] ]]
  equal(message, "patch:1: undefined variable `12`")
end)

test("an undefined name with a capital is a type or a module, and asked for once", function()
  local asked <const>, same <const> = record [[
    return Account == class "Account" and Bank == module "Bank" and Account == Account
  ]]
  equal(same, true)
  equal(asked, "global Account\ntype_object Bank.Account\nglobal Bank")
end)

test("a global of the patch's own comes before a type", function()
  local asked <const>, value <const> = record [[
    Account = 12
    return Account
  ]]
  equal(asked, "")
  equal(value, 12)
end)

test("neither a type nor a module is an undefined variable", function()
  local _, message <const> = record [[return Acount]]
  equal(message, "patch:1: undefined variable `Acount`")
end)

test("globals of a patch are its own", function()
  local _, value <const> = record [[
    limit = 12
    return _G.limit + _ENV.limit
  ]]
  equal(value, 24)
  equal(rawget(_G, "limit"), nil)
end)

test("a patch has Lua's safe functions and no others", function()
  local _, names <const> = record [[
    local names = {}
    for name in next, _G do names[#names + 1] = name end
    table.sort(names)
    return table.concat(names, " ")
  ]]
  equal(names, "_G _VERSION after all ask assert cancelled captured class clock conform "
    .. "continuation copy coroutine each error getmetatable global ipairs is live log main math "
    .. "module next null objects on pairs patch patching pcall print race rawequal rawget rawlen "
    .. "rawset repack require reveal select setmetatable sleep string table task thread throw "
    .. "timeout tonumber tostring type typeof unpack utf8 version waxClass when_loaded xpcall")
end)

test("the program's values come before a type object's parts, which patching gives", function()
  local function change(host)
    host.own = {
      ["type Bank.Account get"] = function() return io.stdout end,
      ["type Bank.Account set"] = function() return function() return 7 end, "getter" end,
      ["type Bank.Account static"] = function() return { "a case" } end,
      ["type Bank.Account didSet"] = function()
        return function(...) return select("#", ...) end, "method"
      end,
      ["type Bank.Account field"] = function()
        return function(...) return select("#", ...) end, "static"
      end,
      -- It comes before the superclass.
      ["static Bank.Account super"] = function() return function() return "own" end, "getter" end,
    }
  end
  local asked <const>, result <const> = record([[
    local Verb = class "Account"
    local parts = patching(Verb)
    assert(patching "Account" == parts and tostring(parts) == "patching(Bank.Account)")
    local above = tostring(patching(parts.static).super)
    function parts.get:title() end
    parts.open = print
    parts:before("open", print)
    Verb.didSet.title = print
    assert(rawequal(Verb.didSet, Verb.didSet) and tostring(Verb.didSet) == "Bank.Account.didSet")
    assert(Verb.didSet.title)
    Verb:field("tries", 0)
    return table.concat({ type(Verb.get), Verb.set, Verb.set, Verb.static[1], Verb.didSet(1, 2),
      Verb.field("x"), parts.static.super, patching(Verb.get, "case"), above,
      select(2, pcall(function() return parts.other end)),
      select(2, pcall(patching, 3)) }, " ")
  ]], nil, nil, change)
  equal(result, "userdata 7 7 a case 2 1 own part case Bank.Base patch:14: "
    .. "patching(Bank.Account) has no `other`: it has what a type object has besides the program's "
    .. "members, such as get, set, static and before patching takes what class or module gave, a "
    .. "class's name, an object or a value")
  equal(string.match(asked, "override.*"), [[
override type Bank.Account getter title
override type Bank.Account method open
before type Bank.Account method open function
override type Bank.Account didSet title
member type Bank.Account didSet title
field Bank.Account tries number false]])
end)

test("a type is an argument where nothing else fits", function()
  local function make(taken)
    local _, result <const> = record([[
      local Account = class "Account"
      return table.concat({ pcall(function() return (Account.make(Account)) end) }, " ", 2)
    ]], nil, nil, function(host) host.taken = taken end)
    return result
  end
  equal(make { [1] = true }, "1")
  equal(make { [0] = true }, "0")
  equal(make { [0] = true, [1] = true }, "patch:2: the type may be an argument here, or what the "
    .. "function is called on: write Type:f(Type) if it is an argument, and Type.f() if it is not")
end)

test("a superclass's static value comes before a part of a class in Lua", function()
  local _, result <const> = record([[
    local Frozen = class("Frozen", "Account")
    return Frozen.get .. type(Frozen.set) .. type(Frozen.set) .. type(patching(Frozen).get)
  ]], nil, nil, function(host)
    host.own = { ["class 0 get"] = function() return function() return 7 end, "getter" end }
  end)
  equal(result, "7tabletabletable")
end)

test("the class that an inherited static method gets equals the class", function()
  local _, result <const> = record [[
    local A <const> = class("A", nil)
    local B <const> = class("B", A)
    local seen = {}
    function A.static:same(other)
      seen[#seen + 1] = self
      return tostring(self == other)
    end
    return B:same(B) .. B:same(A) .. A:same(A) .. tostring(rawequal(seen[1], seen[2]))
  ]]
  equal(result, "truefalsetruetrue")
end)

test("a program of its own has the script's globals in what it loads", function()
  local _, result <const> = record([[
    x = 5
    local name = os.tmpname()
    local file = io.open(name, "w")
    file:write("y = 7 return x")
    file:close()
    local all = { load("return x")(), load("return x", "c", "t", { x = 6 })(), dofile(name), y,
      loadfile(name)(), loadfile(name, "t", { x = 9 })(), tostring(require "os" == os) }
    package.path = string.gsub(name, "[^/]*$", "?")
    local short = string.match(name, "[^/]*$")
    all[#all + 1] = require(short)
    all[#all + 1] = require(short)
    package.loaded[short] = nil
    file = io.open(name, "w")
    file:write("z = 1")
    file:close()
    all[#all + 1] = tostring(require(short))
    package.loaded[short] = nil
    file = io.open(name, "w")
    file:write("return +")
    file:close()
    all[#all + 1] = tostring(pcall(require, short)) .. tostring(pcall(dofile, name))
    os.remove(name)
    package.preload.made = function() return "made" end
    all[#all + 1] = require "made"
    package.preload.made, package.loaded.made = nil, nil
    all[#all + 1] = tostring(pcall(require, "none of this name"))
    return table.concat(all, " ")
  ]], nil, true)
  equal(result, "5 6 5 7 5 9 true 5 5 true falsefalse made false")
end)

test("is compares the type of a value", function()
  local _, result <const>, host <const> = record [[
    local Account = class "Account"
    return is(1, Account) and is(2, Account.static) and is(3, "Account")
  ]]
  equal(result, true)
  local name <const> = string.match(host.record[#host.record - 2], "^is 1 (.*)$")
  equal(host.record[#host.record - 1], "is 2 " .. name)
  equal(host.record[#host.record], "is 3 Account")
  local _, message <const> = record("return select(2, pcall(is, 1, 2))")
  equal(string.match(message, "is takes.*"), "is takes a value and a class, or its name")
end)

test("class gives the type of a value", function()
  local function name(host) host.type_name = function() return "Account" end end
  local _, same <const> = record("return class(null) == class 'Account'", nil, nil, name)
  equal(same, true)
  local _, message <const> = record("return select(2, pcall(class, null))")
  equal(string.match(message, "a Swift.*"), "a Swift name is a string, not a userdata")
end)

test("functions for messages get a function that replies", function()
  local _, _, host <const> = record [[
    on("message", function(name, text, reply)
      reply(name .. text)
      return reply(nil, "why not")
    end)
  ]]
  equal(host.callback("n", "t", 7), false)
  equal(host.record[#host.record - 1], "reply 7 nt nil")
  equal(host.record[#host.record], "reply 7 nil why not")
end)

test("clock is steady, or the wall's", function()
  local _, times <const> = record("return { clock(), clock('wall') }")
  equal(times[1], 1)
  equal(times[2], 1000)
  local _, message <const> = record("return select(2, pcall(clock, 'sun'))")
  equal(string.match(message, "clock takes.*"), 'clock takes nothing, or "wall", not "sun"')
end)

test("parts are loaded by the first call of what they have, once", function()
  local asked <const> = {}
  local _, results <const> = record([[
    local stub, other = coroutine.create, coroutine.isyieldable
    local co = stub(function(...) return select("#", ...) end)
    local _, count = coroutine.resume(co, 1, nil)
    local is_replaced = coroutine.create ~= stub and coroutine.isyieldable ~= other
    task = print
    local is_cancelled = cancelled()
    local own = task
    local succeeded, message = pcall(function() sleep("soon") end)
    return { count, is_replaced, is_cancelled, own == print, tostring(message), other() }
  ]], nil, nil, function(host)
    host.is_cancelled = function() return false end
    host.asked = function(name) asked[#asked + 1] = name end
  end)
  equal(table.concat(asked, " "), "coroutines async")
  for i, expected in ipairs { 2, true, false, true, "patch:8: sleep takes seconds, a number >= 0, "
    .. "not a string", false } do
    equal(results[i], expected)
  end
end)

test("when_loaded runs at once, or is kept by the host", function()
  local text <const>, runs <const> = record [[
    local runs = ""
    when_loaded("Bank", function() runs = runs .. "now" end)
    when_loaded("Plugin", function() runs = runs .. "never" end)
    return runs
  ]]
  equal(runs, "now")
  equal(text, "await Bank\nawait Plugin")
  for _, call in ipairs { "when_loaded()", "when_loaded('Bank')", "when_loaded(7, print)" } do
    local _, message <const> = record("return select(2, pcall(function() " .. call .. " end))")
    equal(message, "patch:1: when_loaded takes a module's name and a function: "
      .. 'when_loaded("Plugin", function() ... end)')
  end
end)

test("version takes a type object or a name", function()
  local text <const>, version <const> = record [[
    return version(class "Account") + version(module "Bank") + version "Bank.Fees"
  ]]
  equal(version, 9)
  equal(string.match(text, "version Bank.Account.*version Bank\n.*version Bank.Fees") ~= nil, true)
  for call, found in pairs { ["version(3)"] = "number", ["version({})"] = "table" } do
    local _, message <const> = record("return select(2, pcall(function() " .. call .. " end))")
    equal(message, "patch:1: version takes a class or module, or its name, not a " .. found)
  end
end)

test("unpack takes tables and values apart", function()
  local text <const>, sum <const> = record [[
    local a, b = unpack({ 10, 20, 30 }, 2)
    local x, y = unpack("a value")
    return a + b + x + y
  ]]
  equal(sum, 53)
  equal(text, "parts a value")
end)

test("reveal asks the host about values of Swift alone", function()
  local _, result <const> = record "return reveal(5) .. string.sub(reveal(null), 1, 4)"
  equal(result, "5file")
end)

test("live gives an object's collections", function()
  local text <const>, result <const> = record [[
    local live = live(null)
    local ok = pcall(function() live.other = 5 end)
    return live.items .. tostring(live):sub(1, 9) .. tostring(ok)
  ]]
  equal(result, "live itemslive filefalse")
  equal(text, "live items")
  local _, message <const> = record [[ local _ = live({}) ]]
  equal(message, "patch:1: live takes an object, not a table: a table is a copy already; "
    .. "write live(object).property")
end)

test("the environment's metatable is closed", function()
  local _, text <const> = record [[
    return tostring(getmetatable(_G)) .. " " .. tostring(pcall(setmetatable, _G, {}))
  ]]
  equal(text, "false false")
end)

test("a script that is no patch has all of Lua, and the output to itself", function()
  local asked <const>, kinds <const> = record([[
    return table.concat({ type(io), type(os), type(load), type(debug), type(class) }, " ")
  ]], nil, true)
  equal(asked, "")
  equal(kinds, "table table function table function")
end)

test("a script that is no patch can import a library", function()
  local asked <const>, same <const> = record([[return import "Banks" == module "Bank"]], nil, true)
  equal(asked, "import Banks")
  equal(same, true)
end)

test("the manifest does nothing when it runs", function()
  equal(record [[patch { name = "overdraft", version = 3 }]], "")
end)

-- Odds and ends -----------------------------------------------------------------------------------

test("null is the host's", function()
  local _, value <const>, host <const> = record [[return null]]
  equal(value, host.null)
end)

test("throw raises what it is given as it is", function()
  local _, message <const> = record [[throw("not today")]]
  equal(message, "not today")
  local thrown <const> = select(2, record [[
    local reason = {}
    local ok, caught = pcall(throw, reason)
    return not ok and caught == reason
  ]])
  equal(thrown, true)
end)

test("log and print go to the host with their level", function()
  equal(record [[
    log.debug("a")
    log.info("b", { key = "c" })
    log.warn(12)
    log.error(nil)
    print("x", nil, 1)
    print()
  ]], "log debug a\nlog info b c\nlog warn 12\nlog error nil\nlog print x\tnil\t1\nlog print ")
end)

test("log takes a message and a table", function()
  local _, message <const> = record [[log.warn("a", "b")]]
  equal(message, "patch:1: log.warn takes a message and a table of fields")
end)

-- require -----------------------------------------------------------------------------------------

test("a module runs once, with its name, and gives its result each time", function()
  local runs = 0
  local modules <const> = {
    rules = function(name)
      runs = runs + 1
      return { name = name }
    end,
  }
  local _, result <const> = record(
    [[return require "rules" == require "rules" and require("rules").name]], modules)
  equal(result, "rules")
  equal(runs, 1)
end)

test("a module that returns nothing, or false, runs once too", function()
  local runs = {}
  local modules <const> = {
    quiet = function() runs[#runs + 1] = "quiet" end,
    no = function()
      runs[#runs + 1] = "no"
      return false
    end,
  }
  local _, result <const> = record([[
    require "quiet"
    require "no"
    return tostring(require "quiet") .. " " .. tostring(require "no")
  ]], modules)
  equal(result, "true false")
  equal(table.concat(runs, " "), "quiet no")
end)

test("a module of the library has two names and runs once", function()
  local runs = 0
  local function chunk()
    runs = runs + 1
    return {}
  end
  local modules <const> = {
    json = chunk, ["waxwing.json"] = chunk,
    whole = { json = "waxwing.json", ["waxwing.json"] = "waxwing.json" },
  }
  local _, result <const> = record([[
    local whole = require "waxwing.json"
    return whole == require "json" and whole == require "json"
  ]], modules)
  equal(result, true)
  equal(runs, 1)
end)

test("a module that is not there is an error that names it", function()
  local _, message <const> = record [[require "rules"]]
  equal(message, "patch:1: the patch has no module `rules`")
end)

test("a module that requires itself, by way of another, is an error", function()
  local environment
  local function chunk(text)
    return function() return assert(load(text, "=module", "t", environment))() end
  end
  local modules <const> = { a = chunk [[require "b"]], b = chunk [[require "a"]] }
  local _
  _, environment = TestHost.start(prelude, modules)
  equal(run(environment, [[require "a"]]), "module:1: module `a` requires itself")
end)

test("a module that fails can be tried again and says the same", function()
  local modules <const> = { bad = function() error("not today", 0) end }
  local _, messages <const> = record([[
    local _, first = pcall(require, "bad")
    local _, second = pcall(require, "bad")
    return first .. ", " .. second
  ]], modules)
  equal(messages, "not today, not today")
end)

-- Conformances ------------------------------------------------------------------------------------

test("conform asks for what the protocol needs, by names in order", function()
  local asked <const>, _, host <const> = record([[
    local Account, Own = class "Account", class("Own", "Account")
    conform(Account, "Greeter", {
      greet = function() return "hi" end,
      get = { title = print },
      set = { title = print },
      static = { make = print, get = { limit = print } },
    }, { types = { Item = "Int", Owner = Account, Other = Own } })
    conform("Account", "Named")
  ]], nil, nil, function(host) host.needed = "0 key method greet\n3 hash hashValue" end)
  local lines <const> = {}
  for line in string.gmatch(asked .. "\n", "(conform.-)\nwitness") do lines[#lines + 1] = line end
  equal((string.gsub(lines[1] or "", "#%d+", "#n")), [[
conform Bank.Account Greeter getter title
method greet
setter title
static getter limit
static method make Item=Int
Other=#n
Owner=Bank.Account]])
  equal(host.witnesses[3](), 42)
end)

test("Codable is two protocols", function()
  local asked <const> = record [[
    conform("Account", "Codable", { encode = print, init = print, other = print })
  ]]
  equal((string.gsub(asked, " +\n", "\n"):gsub(" +$", "")), [[
conform Account Swift.Encodable method encode
method other
conform Account Swift.Decodable method init
method other]])
end)

test("members of the class are called by their names", function()
  local _, _, host <const> = record([[conform("Account", "Greeter")]], nil, nil, function(host)
    host.needed = "0 method greet(_:)\n1 getter title\n2 setter title\n3 initializer init(name:)\n"
      .. "4 static_method make()\n5 static_getter limit\n6 static_setter limit"
  end)
  local object <const> = {
    title = "old", ["greet(_:)"] = function(self, who) return self.title .. who end,
  }
  local class <const> = setmetatable({ limit = 3, ["make()"] = function(_, n) return n end }, {
    __call = function(_, name) return "made " .. name end,
  })
  local witnesses <const> = host.witnesses
  equal(witnesses[0](object, "!"), "old!")
  equal(witnesses[1](object), "old")
  witnesses[2](object, "new")
  equal(object.title, "new")
  equal(witnesses[3](class, "x"), "made x")
  equal(witnesses[4](class, 7), 7)
  equal(witnesses[5](class), 3)
  witnesses[6](class, 4)
  equal(class.limit, 4)
end)

test("conform says what is wrong with its arguments", function()
  for text, message in pairs {
    [ [[conform(5, "P")]] ] = "conform takes a class, a protocol's name, and a table of functions",
    [ [[conform("A", "P", 5)]] ] =
      "what conform gives for the requirements is a table, not a number",
    [ [[conform("A", "P", {}, 5)]] ] =
      "the options of conform are a table, { types = { Element = \"Int\" } }",
    [ [[conform("A", "P", {}, { type = 1 })]] ] = "conform has no option `type`; it has `types`",
    [ [[conform("A", "P", {}, { types = 1 })]] ] =
      "`types` is a table, { Element = \"Int\" }, not a number",
    [ [[conform("A", "P", {}, { types = { E = 1 } })]] ] =
      "the type for `E` is a name or a class",
    [ [[conform("A", "P", { f = 1 })]] ] =
      "what conform gives for `f` is a function, not a number",
    [ [[conform("A", "P", { get = { t = 1 } })]] ] = "get.t is a function, not a number",
  } do
    local _, found <const> = record(text)
    equal(found, "patch:1: " .. message)
  end
end)

test("a class's static members are called to make an instance", function()
  local asked <const> = record [[return class("Account").static("Ann")]]
  equal(string.match(asked, "initializer[^\n]*") ~= nil, true)
end)

test("captured has what the closure has captured that runs, to be read", function()
  local _, found <const> = record([[
    local seen <const> = { captured.limit, #captured, tostring(captured) }
    for name, value in pairs(captured) do seen[#seen + 1] = name .. "=" .. value end
    local isSet <const>, reason <const> = pcall(function() captured.limit = 5 end)
    seen[#seen + 1] = tostring(isSet) .. " " .. reason
    return table.concat(seen, "; ")
  ]], nil, false, function(host)
    local values <const> = { limit = 100, name = "tea" }
    function host.captured(name) return values[name] end
    function host.captures() return { "limit", "name" }, "limit: Int, name: String" end
  end)
  equal(found, "100; 2; limit: Int, name: String; limit=100; name=tea; "
    .. "false patch:3: what a closure has captured can be read, and not set: `captured.limit`")
end)

return runner
