-- SPDX-License-Identifier: MIT
--
-- translated-suites.md says which case of JLRoutesTests.m is where.

local spec <const> = require "spec"
local router <const> = require "router"
local describe <const>, it <const>, equal <const> = spec.describe, spec.it, spec.equal

local last

local function keep(parameters)
  last = parameters
  return true
end

--- What a URL gives besides the keys that all have; nil: it is not routed.
local function route(url, extra, ...)
  last = nil
  if not router.route(url, extra, ...) then return nil end
  local own <const> = {}
  for key, value in next, last do
    if not string.find(key, "^JLRoute") or key == router.WILDCARD then own[key] = value end
  end
  return own, last[router.PATTERN]
end

local function fresh()
  router.remove_all()
  router.decode_plus, router.host_as_path = true, false
  return router.scheme()
end

describe("a route", function()
  it("matches its parts, and gives variables and query items", function()
    local routes <const> = fresh()
    for _, pattern in ipairs {
      "/test", "/user/view/:userID", "/:object/:action/:primaryKey", "/", "/:", "/interleaving/:param1/foo/:param2",
      "/xyz/wildcard/*", "/route/:param/*",
    } do
      routes:add(pattern, keep)
    end
    routes:add("/required/:requiredParam(/:optionalParam)", keep, 1)
    local _, pattern = route("tests:/")
    equal(pattern, "/")
    _, pattern = route("tests://")
    equal(pattern, "/")
    _, pattern = route("tests://test?")
    equal(pattern, "/test")
    _, pattern = route("http://localhost/test")
    equal(pattern, "/test")
    equal(route("tests:/"), {})
    equal(route("tests://"), {})
    equal(route("tests://test?"), {})
    equal(route("tests://test/"), {})
    equal(route("tests://test"), {})
    equal(route("tests://?key=value"), { key = "value" })
    equal(route("tests://user/view/joeldev"), { userID = "joeldev" })
    equal(route("tests://user/view/joeldev/"), { userID = "joeldev" })
    equal(route("tests://user/view/joel%20levin"), { userID = "joel levin" })
    equal(route("tests://user/view/joeldev?foo=bar&thing=stuff"), { userID = "joeldev", foo = "bar", thing = "stuff" })
    equal(route("tests://user/view/joeldev#foo=bar&thing=stuff"), { userID = "joeldev", foo = "bar", thing = "stuff" })
    equal(route("tests://user/view/joeldev?userID=evil"), { userID = "joeldev" })
    equal(route("tests://post/edit/123"), { object = "post", action = "edit", primaryKey = "123" })
    equal(route("tests://interleaving/paramvalue1/foo/paramvalue2"), { param1 = "paramvalue1", param2 = "paramvalue2" })
    equal(route("tests://xyz/wildcard"), { [router.WILDCARD] = {} })
    equal(route("tests://xyz/wildcard/matches/with/extra/path/components"),
      { [router.WILDCARD] = { "matches", "with", "extra", "path", "components" } })
    equal(route("tests://route/matches/with/wildcard"),
      { param = "matches", [router.WILDCARD] = { "with", "wildcard" } })
    equal(route("tests://required/mustExist"), { requiredParam = "mustExist" })
    equal(route("tests://required/mustExist/optional"), { requiredParam = "mustExist", optionalParam = "optional" })
    equal(route("tests://doesnt/exist/and/wont/match"), nil)
    equal(route("tests://doesnt/wildcard/and/wont/match"), nil)
    equal(route("tests://user/view/joeldev?userID=evilPerson&search=evilSearch&evilThing=evil#userID=otherEvilPerson",
      { evilThing = "notEvil" }), { userID = "joeldev", search = "evilSearch", evilThing = "notEvil" })
  end)

  it("with several optional parts has all combinations", function()
    local routes <const> = fresh()
    routes:add("/required/:a(/optional/:b)(/moreOptional/:c)", keep)
    equal(route("tests://required/1"), { a = "1" })
    equal(route("tests://required/1/optional/2"), { a = "1", b = "2" })
    equal(route("tests://required/1/optional/2/moreOptional/3"), { a = "1", b = "2", c = "3" })
    equal(route("tests://required/1/moreOptional/3"), { a = "1", c = "3" })
    fresh():add("/path/:thing(/new)(/anotherpath/:anotherthing)", keep)
    equal(route("foo://path/abc/new/anotherpath/def"), { thing = "abc", anotherthing = "def" })
    equal(route("foo://path/foo/anotherpath/bar"), { thing = "foo", anotherthing = "bar" })
    equal(route("foo://path/yyy/new"), { thing = "yyy" })
    equal(route("foo://path/zzz"), { thing = "zzz" })
    equal(route("foo://path/zzz/anotherpath"), nil)
  end)

  it("may begin with optional parts, or have them in between", function()
    for pattern, urls in next, {
      ["/(rest/)(app/):object/:id"] = { "foo://rest/app/a/b", "foo://app/a/b", "foo://rest/a/b", "foo://a/b" },
      ["/(rest/):object/(app/):id"] = { "foo://rest/a/app/b", "foo://a/app/b", "foo://rest/a/b", "foo://a/b" },
    } do
      fresh():add(pattern, keep)
      for _, url in ipairs(urls) do equal({ url, (route(url)) }, { url, { object = "a", id = "b" } }) end
    end
  end)

  it("with a variable and a wildcard needs the variable", function()
    fresh()
    router.scheme("wildcardTests"):add("list/:variable/detail/:variable2/*")
    equal(router.route("wildcardTests://list/variable/detail/"), false)
    equal(router.route("wildcardTests://list/variable/detail/variable2"), true)
  end)

  it("takes URLs as variables and as query items", function()
    local routes <const> = fresh()
    routes:add({ "/web/:URLString", "/web" }, keep)
    equal(route("tests://web/http%3A%2F%2Ffoobar.com%2Fbaz"), { URLString = "http://foobar.com/baz" })
    equal(route("tests://web?URLString=http%3A%2F%2Ffoobar.com%2Fbaz"), { URLString = "http://foobar.com/baz" })
  end)

  it("decodes each reserved character of a variable", function()
    fresh():add("/user/view/:userID", keep)
    router.decode_plus = false
    for position, code in ipairs {
      "21", "23", "24", "26", "27", "28", "29", "2A", "2B", "2C", "2F", "3A", "3B", "3D", "3F", "40", "5B", "5D",
    } do
      local character <const> = string.sub("!#$&'()*+,/:;=?@[]", position, position)
      equal(route("tests://user/view/joel%" .. code .. "levin"), { userID = "joel" .. character .. "levin" })
    end
  end)

  it("with optional parts stands for several", function()
    local routes <const> = fresh()
    routes:add("/path(/to(/:a))(/end)", keep)
    for url, found in next, {
      ["x:/path"] = {}, ["x:/path/to"] = {}, ["x:/path/to/5"] = { a = "5" }, ["x:/path/end"] = {},
      ["x:/path/to/5/end"] = { a = "5" },
    } do
      equal({ url, (route(url)) }, { url, found })
    end
    equal(route("x:/path/from"), nil)
    equal(routes:patterns(), { "/path(/to(/:a))(/end)" })
    spec.raises("the parentheses of the pattern '/a(b' do not match", routes.add, routes, "/a(b", keep)
  end)

  it("may match a path in the fragment", function()
    fresh():add("/index#/view/:id", keep)
    equal(route("x:/index#/view/7"), { id = "7" })
    equal(route("x:/index#/view/7?a=b"), { id = "7", a = "b" })
    equal(route("x:/index"), nil)
  end)

  it("with a path in the fragment has variables, wildcards and optional parts", function()
    local routes <const> = fresh()
    for _, pattern in ipairs {
      "/user#/view/:userID", "/:object#/:action/:primaryKey", "/interleaving/:param1#/foo/:param2",
      "/xyz/wildcard#/*", "/route#/:param/*", "/required#/:a(/optional/:b)(/moreOptional/:c)",
    } do
      routes:add(pattern, keep)
    end
    equal(route("tests://user#/view/joeldev"), { userID = "joeldev" })
    equal(route("tests://user#/view/joeldev/"), { userID = "joeldev" })
    equal(route("tests://user#/view/joel%20levin"), { userID = "joel levin" })
    equal(route("tests://user#/view/joeldev?foo=bar&thing=stuff"), { userID = "joeldev", foo = "bar", thing = "stuff" })
    equal(route("tests://user#/view/joeldev?userID=evilPerson"), { userID = "joeldev" })
    equal(route("tests://user#/view/joeldev?userID=evilPerson&search=evilSearch&evilThing=evil",
      { evilThing = "notEvil" }), { userID = "joeldev", search = "evilSearch", evilThing = "notEvil" })
    equal(route("tests://user?search=niceSearch&go=home#/view/joeldev?userID=evilPerson&&evilThing=evil",
      { evilThing = "notEvil" }), { userID = "joeldev", search = "niceSearch", go = "home", evilThing = "notEvil" })
    equal(route("tests://post#/edit/123"), { object = "post", action = "edit", primaryKey = "123" })
    equal(route("tests://interleaving/value1#/foo/value2"), { param1 = "value1", param2 = "value2" })
    equal(route("tests://xyz/wildcard#"), { [router.WILDCARD] = {} })
    equal(route("tests://xyz/wildcard#/matches/with/extra/path/components"),
      { [router.WILDCARD] = { "matches", "with", "extra", "path", "components" } })
    equal(route("tests://route#/matches/with/wildcard"),
      { param = "matches", [router.WILDCARD] = { "with", "wildcard" } })
    equal(route("tests://doesnt/exist#/and/wont/match"), nil)
    equal(route("tests://required#/1"), { a = "1" })
    equal(route("tests://required#/1/optional/2"), { a = "1", b = "2" })
    equal(route("tests://required#/1/optional/2/moreOptional/3"), { a = "1", b = "2", c = "3" })
  end)

  it("gets what is given beside the URL, which wins", function()
    fresh():add("/user/:id", keep)
    equal(route("x:/user/5?a=1", { a = 2, b = { 3 } }), { id = "5", a = 2, b = { 3 } })
  end)

  it("gets the pattern, the URL and the scheme", function()
    fresh():add("/user/:id", keep)
    route("x://user/5?a")
    equal({ last[router.PATTERN], last[router.URL], last[router.SCHEME], last[router.NAMESPACE] },
      { "/user/:id", "x://user/5?a", "x", router.GLOBAL })
  end)

  it("may be one of several with a handler", function()
    local routes <const> = fresh()
    routes:add({ "/foo", "/bar/:barID", "/baz" }, keep)
    equal(route("x://foo"), {})
    equal(route("x://bar/1"), { barID = "1" })
    equal(route("x://baz"), {})
    equal(route("x://bar"), nil)
  end)

  it("without a handler counts as handled", function()
    fresh():add("/foo")
    equal(router.route("x://foo"), true)
  end)
end)

describe("query items", function()
  it("that occur several times are a list", function()
    fresh():add("/a", keep)
    equal(route("x:/a?b=1&c=2&b=3&b=4"), { b = { "1", "3", "4" }, c = "2" })
    equal(route("x:/a?b=1&b=2&b=3&c=hi&c=there"), { b = { "1", "2", "3" }, c = { "hi", "there" } })
  end)
  it("are decoded, plus signs too unless that is switched off", function()
    fresh():add("/a/:v", keep)
    equal(route("x:/a/one+two%2B?q=three+four%26"), { v = "one two+", q = "three four&" })
    router.decode_plus = false
    equal(route("x:/a/one+two?q=three+four"), { v = "one+two", q = "three+four" })
    equal(route("x:/a/b?p=joel+levin&p=foo+bar"), { v = "b", p = { "joel+levin", "foo+bar" } })
    router.decode_plus = true
    equal(route("x:/a/b?p=joel+levin&p=foo+bar"), { v = "b", p = { "joel levin", "foo bar" } })
    equal(route("x:/a/joel+levin"), { v = "joel levin" })
  end)
end)

describe("the host", function()
  it("is a part of the path unless it has a dot or is localhost", function()
    fresh():add("/user/:id", keep)
    equal(route("x://user/5"), { id = "5" })
    equal(route("http://www.example.com/user/5"), { id = "5" })
    equal(route("http://localhost:8080/user/5"), { id = "5" })
    router.host_as_path = true
    equal(route("http://www.example.com/user/5"), nil)
    router.scheme():add("/www.example.com/user/:id", keep)
    equal(route("http://ada@www.example.com:80/user/5"), { id = "5" })
    local routes <const> = fresh()
    routes:add({ "/sign_in", "/path/:pathid" }, keep)
    equal({ (route("https://www.mydomain.com/sign_in")), (route("https://www.mydomain.com/path/3")) },
      { {}, { pathid = "3" } })
    router.host_as_path = true
    equal({ route("https://www.mydomain2.com/sign_in"), route("https://www.mydomain2.com/path/3") }, {})
    routes:add({ "/www.mydomain2.com/sign_in", "/www.mydomain2.com/path/:pathid" }, keep)
    equal({ route("https://www.mydomain2.com/path/3") }, { { pathid = "3" }, "/www.mydomain2.com/path/:pathid" })
  end)
end)

describe("priority", function()
  it("decides, then the age", function()
    local routes <const> = fresh()
    routes:add("/test/priority/:level", keep)
    routes:add("/test/:any/priority", keep, 20)
    routes:add("/test/priority/incorrect", keep, -1)
    routes:add("/test/:any/:other", keep, -2)
    local _, pattern = route("x://test/priority/incorrect")
    equal(pattern, "/test/priority/:level")
    _, pattern = route("x://test/priority/priority")
    equal(pattern, "/test/:any/priority")
    routes:add("/test/priority/high", keep, 30)
    _, pattern = route("x://test/priority/high")
    equal(pattern, "/test/priority/high")
  end)

  it("may be other than 0 for all routes of a scheme", function()
    fresh()
    local routes <const> = router.scheme("priorityTest")
    routes:add("/:foo/bar/:baz", keep, 20)
    routes:add("/:foo/things/:baz", keep, 10)
    routes:add("/:foo/:baz", keep, 1)
    equal(route("priorityTest://stuff/things/foo"), { foo = "stuff", baz = "foo" })
    equal(route("priorityTest://one/two"), { foo = "one", baz = "two" })
    equal(route("priorityTest://stuff/bar/baz"), { foo = "stuff", baz = "baz" })
  end)
end)

describe("a handler that returns false", function()
  it("declines, and the next route is tried", function()
    local routes <const> = fresh()
    routes:add("/user/:id", function(parameters) if parameters.id ~= "1" then return false end end, 1)
    routes:add("/user/:any", keep)
    equal(route("x://user/2"), { any = "2" })
    last = nil
    equal({ router.route("x://user/1"), last }, { true, nil })
    fresh():add("/return/:value", function(parameters)
      keep(parameters)
      return parameters.value == "yes"
    end)
    equal({ router.route("x://return/no"), (route("x://return/yes")) }, { false, { value = "yes" } })
    fresh():add("/no", function() return false end)
    equal(router.route("x://no"), false)
    equal(router.can_route("x://no"), true)
  end)
end)

describe("schemes", function()
  it("have routes of their own", function()
    fresh():add("/test", keep)
    router.scheme("namespaceTest1"):add("/test1", keep)
    router.scheme("namespaceTest2"):add("/test2", keep)
    equal(route("tests://test"), {})
    equal(route("namespaceTest1://test1"), {})
    equal(route("namespaceTest2://test2"), {})
    equal(route("namespaceTest1://test2"), nil)
    equal(route("namespaceTest2://test1"), nil)
    equal(route("namespaceTest1://test"), nil)
    equal(route("unknown://test"), {})
  end)

  it("may have the same pattern, and say whose route it was", function()
    fresh():add("/test", keep)
    for _, scheme in ipairs { "namespaceTest1", "namespaceTest2" } do router.scheme(scheme):add("/test", keep) end
    for url, namespace in next, {
      ["tests://test"] = router.GLOBAL, ["namespaceTest1://test"] = "namespaceTest1",
      ["namespaceTest2://test"] = "namespaceTest2",
    } do
      route(url)
      equal({ url, last[router.NAMESPACE] }, { url, namespace })
    end
  end)

  it("are listed with their patterns", function()
    local routes <const> = fresh()
    for index = 1, 3 do routes:add("/global" .. index, keep) end
    router.scheme("scheme"):add({ "/scheme1", "/scheme2" }, keep)
    equal(router.patterns(), {
      [router.GLOBAL] = { "/global1", "/global2", "/global3" }, scheme = { "/scheme1", "/scheme2" },
    })
    equal({ routes:patterns(), router.scheme("scheme"):patterns(), router.scheme("foo"):patterns() },
      { { "/global1", "/global2", "/global3" }, { "/scheme1", "/scheme2" }, {} })
  end)

  it("fall back to the global ones where that is wanted", function()
    fresh():add("/test", keep)
    local own <const> = router.scheme("own")
    own:add("/bar", keep)
    equal(route("own://test"), nil)
    own.falls_back = true
    equal(route("own://test"), {})
    equal(last[router.NAMESPACE], router.GLOBAL)
    equal(router.can_route("own://test"), true)
    equal({ own:route("x://bar"), own:can_route("x://nothing") }, { true, false })
  end)

  it("hear of what does not match", function()
    fresh()
    local own <const>, seen <const> = router.scheme("own"), {}
    own:add("/yes", keep)
    own.unmatched = function(url, extra) seen[#seen + 1] = { url, extra } end
    router.route("own://yes")
    router.route("own://no", { a = 1 })
    equal(seen, { { "own://no", { a = 1 } } })
    equal(router.can_route("own://no"), false)
    equal(#seen, 1)
  end)

  it("are forgotten", function()
    fresh():add("/test", keep)
    router.scheme("own"):add("/test2", keep)
    router.remove_scheme("own")
    equal(route("own://test2"), nil)
    equal(route("own://test"), {})
    router.scheme():add("/:", keep)
    route("own://test2")
    equal({ last[router.PATTERN], last[router.NAMESPACE] }, { "/:", router.GLOBAL })
  end)
end)

describe("routes", function()
  it("are removed by their pattern", function()
    local routes <const> = fresh()
    routes:add("/a(/:b)", keep)
    equal(route("x://a/1"), { b = "1" })
    equal({ routes:remove("/a(/:b)"), routes:remove("/a(/:b)") }, { true, false })
    equal({ route("x://a/1"), route("x://a") }, {})
    routes:add({ "/test1", "test2" }, keep)
    equal({ routes:remove("test1"), route("x://test1"), (route("x://test2")) }, { true, nil, {} })
    equal({ routes:remove("/test2"), routes:remove("test2") }, { true, false })
    routes:add("/b", keep)
    routes:clear()
    equal(route("x://b"), nil)
  end)

  it("may be removed while one is called", function()
    local routes <const> = fresh()
    routes:add("/a", function()
      routes:clear()
      return false
    end)
    routes:add("/a", keep)
    equal(route("x://a"), {})
    equal(route("x://a"), nil)
  end)

  it("are asked without being called, also with a path alone", function()
    local called, routes <const> = false, fresh()
    routes:add({ "/test", "/subscripting" }, function() called = true end)
    equal({ routes:can_route("tests:/test"), routes:can_route("tests:/dfjkbsdkjfbskjdfb/sdasd") }, { true, false })
    equal({ router.can_route("subscripting"), called }, { true, false })
  end)

  it("of their own need no scheme of a URL", function()
    fresh()
    local own <const> = router.scheme("own")
    own:add("/success")
    equal({ own:route("/success"), own:route("/failure"), router.route("/success") }, { true, false, false })
  end)

  it("refuse what is no URL, pattern or handler", function()
    spec.raises("a URL is a string, not a nil", router.route)
    spec.raises("add takes a pattern and a function", fresh().add, fresh(), 5)
    spec.raises("add takes a pattern and a function", fresh().add, fresh(), "/a", 5)
    spec.raises("a scheme is a string, not a number", router.scheme, 5)
  end)
end)
