// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Debuggers of a daemon's patches.
@Suite struct DebugTests {
  private let stage: Stage

  /// Line by line, as breakpoints are by number.
  private static let patch = """
    patch { name = "fees", version = 1 }
    local Account = class "bankd.Account"
    local bonus = { per_hundred = 3 }
    local function half(amount)
      local result = amount // 2
      return result
    end
    function Account:deposit(amount, memo)
      local extra = half(amount)
      local seen = { amount = amount, memos = { memo } }
      local total = amount + extra
      if memo == "fault" then error("no such memo") end
      return self:ORIGdeposit(total, memo)
    end
    """

  init() throws {
    stage = try Stage()
    _ = try stage.transcript(
      """
      POST /accounts {"owner":"Ada"}
      POST /accounts {"owner":"Bob"}
      """)
    try stage.write(Self.patch, to: "fees.lua")
    try expectContains(stage.waxwing(["apply", "fees.lua"]), "fees")
  }

  /// An HTTP request that is under way.
  private final class Call: @unchecked Sendable {
    private let condition = NSCondition()
    private var outcome: String?

    init(_ stage: Stage, _ method: String, _ path: String, _ body: String?) {
      let port = stage.bankd.port
      Thread.detachNewThread { [self] in
        let answer: String
        do {
          var client = try HTTPClient(port: port)
          answer = try client.request(method, path, body: body).summary
        } catch {
          answer = "\(error)"
        }
        condition.withLock {
          outcome = answer
          condition.broadcast()
        }
      }
    }

    var isOver: Bool { condition.withLock { outcome != nil } }

    func answer() throws -> String {
      let end = Date(timeIntervalSinceNow: 60)
      condition.lock()
      defer { condition.unlock() }
      while outcome == nil {
        guard condition.wait(until: end) else { throw TestSupportError("no answer has come") }
      }
      return outcome ?? ""
    }
  }

  private func deposit(_ amount: Int, into account: Int = 1001, memo: String = "rent") -> Call {
    Call(
      stage, "POST", "/accounts/\(account)/deposit", #"{"amount":\#(amount),"memo":"\#(memo)"}"#)
  }

  private func client(
    _ breakpoints: [DebugClient.Object], filters: [String] = [], limit: Double = 60
  ) throws -> DebugClient {
    let client = try DebugClient(stage)
    try client.attach("fees", in: stage, "fees.lua", breakpoints, filters: filters, limit: limit)
    return client
  }

  @Test func `a call stops, shows its values, and goes on`() throws {
    let client = try client([["line": 11]])
    let call = deposit(100)
    let stop = try client.stop()
    #expect(stop.reason == "breakpoint" && stop.line == 11)
    #expect(
      (stop.frames.first?["source"] as? DebugClient.Object)?["path"] as? String
        == "\(stage.folder)/fees.lua")
    let locals = try client.scope("Locals", of: stop.frame)
    expectEqual(locals.map(\.name), ["self", "amount", "memo", "extra", "seen"])
    #expect(locals[1].value == "100" && locals[2].value == #""rent""# && locals[3].value == "50")
    #expect(locals[4].value.contains("amount = 100") && locals[4].value.contains("memos = {…}"))
    let seen = try client.variables(locals[4].reference)
    expectEqual(seen.map(\.name), ["amount", "memos"])
    try expectEqual(client.variables(seen[1].reference).map(\.value), [#""rent""#])
    let upvalues = try client.scope("Upvalues", of: stop.frame)
    #expect(upvalues.map(\.name).contains("half"))
    let swift = try client.scope("Swift values", of: stop.frame)
    #expect(swift.map(\.name) == ["self"] && swift[0].value.hasPrefix("bankd.Account@0x"))
    let properties = try client.variables(swift[0].reference)
    expectEqual(properties.first { $0.name == "owner" }?.value, #""Ada""#)
    // What can change is read when somebody asks for it.
    let balance = try #require(properties.first { $0.name == "balance" })
    expectEqual(balance.value, "…")
    try expectEqual(client.variables(balance.reference).map(\.value), ["0"])
    #expect(!call.isOver)
    try client.ask("continue", ["threadId": stop.thread])
    #expect(try call.answer().hasPrefix("200 "))
    try expectContains(call.answer(), "150")
  }

  @Test func `what takes for ever to say what it is hides its own line alone`() throws {
    let text = """
      patch { name = "loops", version = 1 }
      local Account = class "bankd.Account"
      local function forever() while true do end end
      local function looping(metatable)
        metatable.__tostring = forever
        return setmetatable({}, metatable)
      end
      function Account:deposit(amount, memo)
        local plain, faked = looping {}, looping { __metatable = {} }
        local hidden, named = looping { __metatable = false }, looping { __metatable = "json" }
        local nested = looping { __metatable = setmetatable({}, { __tostring = forever }) }
        local inside, key = { faked }, { [faked] = 1 }
        local last = amount
        return self:ORIGdeposit(last, memo)
      end
      """
    _ = try stage.waxwing(["revert", "fees"])
    try stage.write(text, to: "loops.lua")
    _ = try stage.waxwing(["apply", "loops.lua"])
    let client = try DebugClient(stage)
    try client.attach("loops", in: stage, "loops.lua", [["line": 14]], filters: [], limit: 60)
    let call = deposit(100)
    let stop = try client.stop()
    let locals = try client.scope("Locals", of: stop.frame)
    let values = Dictionary(uniqueKeysWithValues: locals.map { ($0.name, $0.value) })
    for name in ["plain", "faked", "hidden", "named", "nested"] { expectEqual(values[name], "…") }
    expectEqual(values["inside"], "{{…}}")
    expectEqual(values["key"], "{[{…}] = 1}")
    expectEqual(values["last"], "100")
    try client.ask("continue", ["threadId": stop.thread])
    expectContains(try call.answer(), "100")
  }

  @Test func `what can change is not listed where the policy hides it`() throws {
    let folder = try TemporaryFolder()
    try "fields = refuse\n".write(
      toFile: "\(folder.path)/bankd.conf", atomically: false, encoding: .utf8)
    let stage = try Stage(environment: ["WAXWING_CONFIG_DIR": folder.path])
    _ = try stage.transcript(#"POST /accounts {"owner":"Ada"}"#)
    try stage.write(Self.patch, to: "fees.lua")
    try expectContains(stage.waxwing(["apply", "fees.lua"]), "fees")
    let client = try DebugClient(stage)
    try client.attach("fees", in: stage, "fees.lua", [["line": 11]])
    let call = Call(stage, "POST", "/accounts/1001/deposit", #"{"amount":1,"memo":"x"}"#)
    let stop = try client.stop()
    let swift = try client.scope("Swift values", of: stop.frame)
    let properties = try client.variables(swift[0].reference)
    expectEqual(properties.first { $0.name == "owner" }?.value, #""Ada""#)
    let balance = try #require(properties.first { $0.name == "balance" })
    expectContains(balance.value, "policy hides")
    expectEqual(balance.reference, 0)
    try client.ask("continue", ["threadId": stop.thread])
    _ = try call.answer()
  }

  @Test func `expressions have locals and globals, and assign`() throws {
    let client = try client([["line": 13]])
    let call = deposit(100)
    let stop = try client.stop()
    try expectEqual(client.evaluate("amount + extra", in: stop.frame), "150")
    try expectEqual(client.evaluate("self.owner .. memo", in: stop.frame), #""Adarent""#)
    try expectEqual(client.evaluate("half(9)", in: stop.frame), "4")
    try expectEqual(client.evaluate("total = 7", in: stop.frame), "nil")
    try expectEqual(client.evaluate("total", in: stop.frame), "7")
    let wrong = try client.refusal("evaluate", ["expression": "amount.x.y", "frameId": stop.frame])
    expectContains(wrong, "attempt to index")
    let syntax = try client.refusal("evaluate", ["expression": "1 +", "frameId": stop.frame])
    expectContains(syntax, "near")
    try client.ask("continue", ["threadId": stop.thread])
    try expectContains(call.answer(), "\"balance\":7")
  }

  @Test func `a value that is only passed on is there to be looked at`() throws {
    let patch = """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo)
        local more = amount + 1
        return self:ORIGdeposit(more, memo)
      end
      """
    try stage.write(patch, to: "memos.lua")
    try expectContains(stage.waxwing(["apply", "memos.lua"]), "memos")
    let client = try DebugClient(stage)
    try client.attach("memos", in: stage, "memos.lua", [["line": 4]])
    let call = deposit(100, memo: String(repeating: "m", count: 100))
    let stop = try client.stop()
    try expectEqual(client.evaluate("#memo", in: stop.frame), "100")
    try expectEqual(client.evaluate("memo = 'rent'", in: stop.frame), "nil")
    try expectEqual(client.evaluate("memo", in: stop.frame), #""rent""#)
    try client.ask("continue", ["threadId": stop.thread])
    try expectContains(call.answer(), "\"balance\":151")
  }

  @Test func `steps go over calls, into them, and out again`() throws {
    let client = try client([["line": 9]])
    let call = deposit(100)
    var stop = try client.stop()
    let thread = stop.thread
    try client.ask("next", ["threadId": thread])
    stop = try client.stop()
    #expect(stop.reason == "step" && stop.line == 10 && stop.thread == thread)
    try client.ask("continue", ["threadId": thread])
    _ = try call.answer()
    let other = deposit(200)
    stop = try client.stop()
    try client.ask("stepIn", ["threadId": stop.thread])
    stop = try client.stop()
    #expect(stop.line == 5 && stop.frames.count == 2)
    try expectEqual(client.evaluate("amount", in: stop.frame), "200")
    try client.ask("stepOut", ["threadId": stop.thread])
    stop = try client.stop()
    #expect(stop.frames.count == 1 && (9...10).contains(stop.line))
    try client.ask("disconnect")
    #expect(try other.answer().hasPrefix("200 "))
  }

  @Test func `conditions, hits and messages decide`() throws {
    let client = try client([
      ["line": 10, "condition": "amount > 50"], ["line": 11, "logMessage": "{memo}: {amount + 1}"],
      ["line": 13, "hitCondition": "3"],
    ])
    _ = try deposit(10).answer()
    _ = try client.event("output") { ($0["output"] as? String)?.hasPrefix("rent: 11") == true }
    let second = deposit(60)
    let stop = try client.stop()
    expectEqual(stop.line, 10)
    try client.ask("continue", ["threadId": stop.thread])
    _ = try second.answer()
    let third = deposit(20)
    let last = try client.stop()
    expectEqual(last.line, 13)
    let answers = try client.set(
      [["line": 10, "condition": "nowhere.x"], ["line": 400], ["line": 11, "hitCondition": "x"]],
      in: "\(stage.folder)/fees.lua")
    expectEqual(answers.map { $0["verified"] as? Bool }, [true, false, false])
    try client.ask("continue", ["threadId": last.thread])
    _ = try third.answer()
    _ = try deposit(20).answer()
    _ = try client.event("output") {
      ($0["output"] as? String)?.contains("the condition `nowhere.x` has failed") == true
    }
    #expect(!client.has(event: "stopped"))
  }

  @Test func `only the call that stops waits`() throws {
    let client = try client([["line": 11, "condition": "self.owner == 'Ada'"]])
    let call = deposit(100)
    let stop = try client.stop()
    for _ in 1...20 { #expect(try deposit(2, into: 1002).answer().hasPrefix("200 ")) }
    #expect(!call.isOver)
    try expectContains(stage.waxwing(["list"]), "fees")
    try expectContains(stage.waxwing(["status", "--exit-zero"]), "fees")
    try client.ask("continue", ["threadId": stop.thread])
    try expectContains(call.answer(), "\"balance\":150")
  }

  @Test func `a call goes on by itself after the limit`() throws {
    let client = try client([["line": 11]], limit: 1)
    let call = deposit(100)
    let stop = try client.stop()
    try expectContains(call.answer(), "\"balance\":150")
    _ = try client.event("continued") { $0["threadId"] as? Int == stop.thread }
    let refusal = try client.refusal(
      "evaluate", ["expression": "amount", "frameId": stop.frame])
    expectContains(refusal, "gone on")
  }

  @Test func `a call that has stopped is not reported as stuck, nor stopped by its limits`() throws
  {
    let folder = try TemporaryFolder()
    try "limits.stuck-seconds = 1\n".write(
      toFile: "\(folder.path)/bankd.conf", atomically: false, encoding: .utf8)
    let stage = try Stage(environment: ["WAXWING_CONFIG_DIR": folder.path])
    _ = try stage.transcript(#"POST /accounts {"owner":"Ada"}"#)
    // Enough before the stop for the call's clock to run.
    try stage.write(
      """
      patch { name = "fees", version = 1, limits = { instructions = 90000000 } }
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo)
        local sum = 0
        for i = 1, 200000 do sum = sum + i % 2 end
        local total = amount + sum
        for i = 1, 200000 do total = total + i % 2 end
        return self:ORIGdeposit(total, memo)
      end
      """, to: "fees.lua")
    try expectContains(stage.waxwing(["apply", "fees.lua"]), "fees")
    let client = try DebugClient(stage)
    try client.attach("fees", in: stage, "fees.lua", [["line": 6]], limit: 4)
    let call = Call(stage, "POST", "/accounts/1001/deposit", #"{"amount":1,"memo":"x"}"#)
    _ = try client.stop()
    try expectContains(call.answer(), "\"balance\":200001")
    #expect(!stage.log.contains(".stuck") && !stage.log.contains("override.failed"))
  }

  @Test func `a call goes on when the debugger is killed`() throws {
    let client = try client([["line": 11]], limit: 300)
    let call = deposit(100)
    _ = try client.stop()
    client.kill()
    try expectContains(call.answer(), "\"balance\":150")
    // Nothing stops any more, and another may attach.
    try expectContains(deposit(100).answer(), "\"balance\":300")
    _ = try self.client([])
  }

  @Test(arguments: [["restore"], ["revert", "fees"]])
  func `ending the patch lets calls go on`(command: [String]) throws {
    let client = try client([["line": 11]], limit: 300)
    let call = deposit(100)
    _ = try client.stop()
    let ended = try stage.waxwing(command)
    #expect(!ended.contains("exited"), "\(ended)")
    try expectContains(call.answer(), "\"balance\":150")
    _ = try client.event("terminated")
    try expectContains(deposit(100).answer(), "\"balance\":250")
  }

  @Test func `faults stop where they are raised`() throws {
    let client = try client([], filters: ["fault"])
    let call = deposit(100, memo: "fault")
    let stop = try client.stop()
    #expect(stop.reason == "exception" && stop.line == 12)
    #expect(stop.text.hasSuffix("no such memo"))
    try expectEqual(client.evaluate("extra", in: stop.frame), "50")
    try client.ask("continue", ["threadId": stop.thread])
    // The program's own function has run.
    try expectContains(call.answer(), "\"balance\":100")
  }

  @Test func `a coroutine of the patch's is stepped through`() throws {
    try stage.write(
      """
      patch { name = "fees", version = 2 }
      local Account = class "bankd.Account"
      local function parts(amount)
        local first = amount // 2
        coroutine.yield(first)
        return amount - first
      end
      function Account:deposit(amount, memo)
        local co = coroutine.create(parts)
        local _, one = coroutine.resume(co, amount)
        local _, two = coroutine.resume(co)
        return self:ORIGdeposit(one + two, memo)
      end
      """, to: "fees.lua")
    try expectContains(stage.waxwing(["apply", "fees.lua"]), "fees")
    let client = try client([["line": 5], ["line": 6]])
    let call = deposit(101)
    var stop = try client.stop()
    expectEqual(stop.line, 5)
    try expectEqual(client.evaluate("first", in: stop.frame), "50")
    try client.ask("continue", ["threadId": stop.thread])
    stop = try client.stop()
    expectEqual(stop.line, 6)
    try client.ask("stepOut", ["threadId": stop.thread])
    stop = try client.stop()
    expectEqual(stop.line, 12)
    try expectEqual(client.evaluate("one + two", in: stop.frame), "101")
    try client.ask("continue", ["threadId": stop.thread])
    try expectContains(call.answer(), "\"balance\":101")
  }

  @Test func `an async override stops, and other tasks go on`() throws {
    try stage.write(
      """
      patch { name = "rates", version = 1 }
      local Service = class "bankd.RateService"
      function Service:quote(currency)
        local quote = self:ORIGquote(currency)
        local number = quote.number
        return quote
      end
      """, to: "rates.lua")
    try expectContains(stage.waxwing(["apply", "rates.lua"]), "rates")
    let client = try DebugClient(stage)
    try client.attach("rates", in: stage, "rates.lua", [["line": 5]])
    let call = Call(stage, "GET", "/rates?currency=USD", nil)
    let stop = try client.stop()
    expectEqual(stop.line, 5)
    #expect(try stage.bankd.ask("GET", "/ledger").hasPrefix("200 "))
    try client.ask("next", ["threadId": stop.thread])
    let next = try client.stop()
    expectEqual(next.line, 6)
    #expect(Int(try client.evaluate("number", in: next.frame)) != nil)
    try client.ask("continue", ["threadId": next.thread])
    #expect(try call.answer().hasPrefix("200 "))
  }

  @Test func `what an expression keeps of a call outlives it`() throws {
    // An override that calculates and calls its original is lent its object, and keeps nothing.
    try stage.write(
      """
      patch { name = "fees", version = 2 }
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo)
        local total = amount + 1
        return self:ORIGdeposit(total, memo)
      end
      """, to: "fees.lua")
    try expectContains(stage.waxwing(["apply", "fees.lua"]), "fees")
    let client = try client([["line": 5]])
    let first = deposit(100)
    var stop = try client.stop()
    _ = try client.evaluate("kept = self", in: stop.frame)
    try client.ask("continue", ["threadId": stop.thread])
    _ = try first.answer()
    let second = deposit(100, into: 1002)
    stop = try client.stop()
    try expectEqual(client.evaluate("kept.owner .. self.owner", in: stop.frame), #""AdaBob""#)
    try expectEqual(client.evaluate("kept.balance", in: stop.frame), "101")
    try client.ask("continue", ["threadId": stop.thread])
    _ = try second.answer()
  }

  @Test func `who was attached is on record, and who may not is turned away`() throws {
    let log = try TemporaryFolder()
    try "limits.debug-seconds = 2\n".write(
      toFile: "\(log.path)/bankd.conf", atomically: false, encoding: .utf8)
    let stage = try Stage(
      environment: ["WAXWING_LOG_DIR": log.path, "WAXWING_CONFIG_DIR": log.path])
    try stage.write(Self.patch, to: "fees.lua")
    _ = try stage.waxwing(["apply", "fees.lua"])
    let client = try DebugClient(stage, ["fees", "--limit", "1h"])
    try client.ask("initialize")
    try client.ask("attach")
    // The host's limit counts.
    _ = try client.event("output") { ($0["output"] as? String)?.contains(" 2 s at most") == true }
    try client.ask("disconnect")
    waitUntil("the end of the debugger", seen: stage.log) { !client.process.isRunning }
    try #require(!client.process.isRunning)
    expectEqual(client.process.terminationStatus, 0)
    var audit = ""
    try waitUntil("debug.detach", seen: audit) {
      audit = try stage.waxwing(["audit"])
      return audit.contains("debug.detach")
    }
    expectContains(audit, "debug.attach  done")
    expectContains(audit, "the debugger has detached")
    try "limits.debug-seconds = 0\n".write(
      toFile: "\(log.path)/bankd.conf", atomically: false, encoding: .utf8)
    #expect(try !stage.waxwing(["config", "reload"]).contains("exited"))
    let other = try DebugClient(stage)
    try other.ask("initialize")
    try expectContains(other.refusal("attach", ["patch": "fees"]), "allow no debuggers")
  }

  @Test func `pausing stops the next call`() throws {
    let client = try client([])
    let threads = try client.ask("threads")["threads"] as? [DebugClient.Object]
    try client.ask("pause", ["threadId": threads?.first?["id"] as? Int ?? 0])
    let call = deposit(100)
    let stop = try client.stop()
    #expect(stop.reason == "pause" && stop.line == 9)
    try client.ask("disconnect")
    try expectContains(call.answer(), "\"balance\":150")
  }

  @Test func `with and without a debugger calls do the same`() throws {
    func results() throws -> [String] {
      try (1...20).map { try deposit($0 * 10, memo: $0 == 7 ? "fault" : "rent").answer() }
    }
    let plain = try results()
    let client = try client([
      ["line": 5, "condition": "amount < 0"], ["line": 11, "logMessage": "x"],
    ])
    let first = try #require(plain.last).matches(of: #/"balance":(\d+)/#).first?.1
    let base = try #require(first.flatMap { Int($0) })
    let debugged = try results()
    try client.ask("disconnect")
    let after = try results()
    func balances(_ answers: [String], _ base: Int) -> [Int] {
      answers.compactMap { answer in
        answer.firstMatch(of: #/"balance":(\d+)/#).flatMap { Int($0.1) }.map { $0 - base }
      }
    }
    expectEqual(balances(plain, 0).count, 20)
    expectEqual(balances(debugged, base), balances(plain, 0))
    expectEqual(balances(after, 2 * base), balances(plain, 0))
  }

  @Test func `what is wrong is said`() throws {
    let client = try DebugClient(stage)
    try client.ask("initialize")
    try expectContains(client.refusal("launch"), #""request": "attach""#)
    try expectContains(client.refusal("setBreakpoints"), "send `attach` first")
    try expectContains(client.refusal("attach"), "`waxwing list` shows the names")
    try expectContains(client.refusal("attach", ["patch": "nothing"]), "live are `fees`")
    try client.ask("attach", ["patch": "fees"])
    _ = try client.event("initialized")
    try expectContains(client.refusal("stackTrace", ["threadId": 7]), "has gone on")
    try expectContains(client.refusal("whatever"), "does not know the request 'whatever'")
    let answers = try client.set([["line": 1]], in: "/elsewhere/other.lua")
    #expect((answers.first?["message"] as? String)?.contains("fees.lua") == true)
    let other = try DebugClient(stage)
    try other.ask("initialize")
    try expectContains(other.refusal("attach", ["patch": "fees"]), "a debugger is attached")
  }
}
