// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// What docs/web-servers.md shows has to work, on small servers with stand-ins for the frameworks: optimised, so
/// that no default values of the libraries are left, and with a facts file that has them.
@Suite struct WebServerGuideTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
  }

  private static let modules = [
    "hbshop": "HTTPTypes Logging NIOCore Hummingbird",
    "vshop": "Logging NIOCore NIOHTTP1 Vapor",
    "nioshop": "NIOCore NIOHTTP1",
  ]

  /// Compiles a server and makes its facts file.
  private func compile(_ program: String) throws {
    let modules = try #require(Self.modules[program])
    try expectSuccess(
      shell.bash(
        """
        set -eu
        PATH="$PATH:\(BuildModeTests.path)"
        sources='\(BuildModeTests.fixtures)/Servers'
        flags="-O -g -wmo -swift-version 5 -I Modules"
        mkdir Modules
        for module in \(modules); do
          swiftc $flags -parse-as-library -module-name $module -emit-object -o $module.o \
            -emit-module -emit-module-path Modules/$module.swiftmodule "$sources/$module.swift"
        done
        swiftc $flags -module-name \(program) -o \(program) -emit-executable -emit-module \
          -emit-module-path Modules/\(program).swiftmodule -Xfrontend -enable-implicit-dynamic \
          -enable-testing -Xlinker --build-id *.o "$sources/\(program).swift"
        waxwing facts \(program)
        """))
  }

  private func run(_ program: String, _ patch: String) throws -> BuildModeTests.Answers {
    try shell.directory.write(patch, to: "given.lua")
    let result = try shell.bash(
      """
      set -eu
      rm -f in
      mkfifo in
      : >out
      exec 3<>in
      export WAXWING_STATE_DIR=$PWD/state WAXWING_CONFIG_DIR=$PWD WAXWING_LOG_DIR=off
      trap 'kill $! 2>/dev/null || true' EXIT
      waxwing exec --allow-unsigned ./\(program) <in >out 2>err &
      until [[ -S \(program).sock ]]; do
        kill -0 $! || { cat err; exit 1; }
        sleep 0.02
      done
      say() {
        local before=$(wc -l <out)
        echo go >&3
        until (($(wc -l <out) > before)) && [[ $(tail -n 1 out) == -- ]]; do
          kill -0 $! || { echo "the program has ended"; cat err; exit 1; }
          sleep 0.02
        done
        tail -n +$((before + 1)) out | tr '\\n' ' '
        echo
      }
      say
      waxwing apply given.lua >applied 2>&1 || { cat applied; exit 1; }
      say
      waxwing list --json >list.json
      waxwing restore | grep -q '0 differences'
      say
      jq -r '.patches[].overrides[] | select(.errors > 0 or .calls == 0)
        | "\\(.selector): \\(.lastError.message // "not called")"' list.json
      """)
    return BuildModeTests.Answers(result)
  }

  @Test(arguments: [("hbshop", "hummingbird"), ("vshop", "vapor"), ("nioshop", "nio")])
  func `each block of the page changes what the server answers`(
    program: String, mark: String
  ) throws {
    try compile(program)
    let page = try GuideTests.text(of: "docs/web-servers.md")
    let blocks = page.components(separatedBy: "```lua \(mark)").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first?.drop { $0 != "\n" }
    }
    #expect(blocks.count >= 2)
    for block in blocks {
      let answers = try run(program, String(block))
      #expect(answers.patched != answers.before, "\(block)")
      expectEqual(answers.after, answers.before)
      expectEqual(answers.failures, [])
    }
  }

  @Test func `calls have the default values that only a library's source tells`() throws {
    try compile("vshop")
    let answers = try run(
      "vshop",
      """
      patch { name = "shop", program = "vshop", limits = { milliseconds = 2000 } }
      local Status, Body, View = HTTPResponseStatus, class "Vapor.Response.Body", class "vshop.OrderView"
      module("vshop")["closure #2 in configure"] = function(req)
        local texts = {}
        local function see(value) texts[#texts + 1] = tostring(value) end
        local abort = Abort(Status.forbidden)
        see(abort.status.code) see(abort.reason) see(abort.place) see(#abort.headers["a"])
        see(Abort { Status.conflict, reason = "why" }.reason)
        see(Response().description) see(Response(Status.created).description)
        see(Response { status = Status.conflict, body = Body { string = "text" } }.description)
        see(Response().version == HTTPVersion(1, 1))
        see(req:redirect("/x").status.code)
        -- labels mean the function that has them, also if another takes any sequence
        local headers = HTTPHeaders()
        headers:add { name = "a", value = "b" }
        headers:add("c", "d")
        see(headers.text)
        -- async where code can wait, and never the one with an inout parameter
        see(View(1, 2, "s", {}):encodeResponse(req).status.code)
        see(View(1, 2, "s", {}):encodeResponse { status = Status.created, ["for"] = req }.status.code)
        local response = Response()
        response.content:encode(View(1, 2, "s", {}))
        see(response.headers.text)
        local buffer = ByteBuffer()
        see(buffer:writeInteger(5)) see(buffer:getString(7, 1):byte())
        -- types after the arguments
        see(req.eventLoop:makeFailedFuture(abort, Int).text:match("failed"))
        see(req.eventLoop:makeSucceededFuture("x"):map(function(s) return s .. "y" end, String).text)
        see(req.eventLoop:makeSucceededFuture("x"):map(function(s) return { 1, 2 } end, "[Int]").text)
        local is_made, message = pcall(function() return req.eventLoop:makeFailedFuture(abort) end)
        see(is_made) see(message:match("name the type after the arguments: `makeFailedFuture%(…, String%)`"))
        -- an optional parameter is not nil where its default value is another one
        see(req:named("a", "b")) see(req:named { "a", suffix = "c", count = 3 })
        -- a closure that does nothing
        see(req:changed({ a = "b" }))
        see(req:changed { beforeSend = function(headers) headers:add("c", "d") return headers end })
        is_made, message = pcall(function() return req:named("a") end)
        see(is_made) see(message:match("`defaultSuffix%(%)` cannot be made here"))
        is_made, message = pcall(function() return abort.headers:add("a", "b", Int) end)
        see(is_made)
        return table.concat(texts, ", ")
      end
      """)
    expectContains(
      answers.patched,
      "GET plain: 200 x-shop=1 403, status 403, given.lua, 0, why, 200  -, 201  -, 409  text, true, 303, "
        + "a=b c=d, 200, 201, content-type=json, 8, 5, failed, xy, [1, 2], false, "
        + "name the type after the arguments: `makeFailedFuture(…, String)`, ab2, ac3, a=b, c=d, false, "
        + "`defaultSuffix()` cannot be made here, false;")
    expectEqual(answers.failures, [])
    expectEqual(answers.after, answers.before)
  }

  @Test func `a future of any type is refused with what to write`() throws {
    try compile("nioshop")
    let answers = try run(
      "nioshop",
      """
      local Futures = class "nioshop.Futures"
      function Futures:total(price) return price:map(function(n) return n + 1 end) end
      """)
    expectEqual(answers.patched, answers.before)
    expectContains(
      answers.failures.joined(),
      "expected NIOCore.EventLoopFuture<Swift.Int>, got an object of class NIOCore.EventLoopFuture<Any>; where a Lua "
        + "function made it, name the type that this one returns after the arguments, as in `map(f, String)`"
    )
  }

  @Test func `without a facts file a call names the argument that has to be passed`() throws {
    try compile("vshop")
    try expectSuccess(shell.bash("rm vshop.waxwing-facts"))
    let answers = try run(
      "vshop",
      """
      patch { name = "shop", program = "vshop", limits = { milliseconds = 2000 } }
      local Status = HTTPResponseStatus
      module("vshop")["closure #2 in configure"] = function(req)
        local is_made, message = pcall(Abort, Status.forbidden)
        assert(not is_made)
        return message
      end
      """)
    expectContains(
      answers.patched,
      "`headers` of Vapor.Abort.init(_:headers:reason:identifier:suggestedFixes:file:function:line:column:range:): "
        + "expected NIOHTTP1.HTTPHeaders, got nothing; the program has no code for a default value of it: there is "
        + "none, or the optimizer has dropped it; pass it, or let `waxwing facts` record the values where the program "
        + "is built")
    expectEqual(answers.failures, [])
  }
}
