// SPDX-License-Identifier: MIT

import Bank
import Testing

/// A function of the program that both paths call: how a patch overrides it, and how the program calls it.
struct CallPathRow {
  /// What follows `function` in Lua: `V:int(a)`.
  let header: String
  /// The call of the original in Lua.
  let original: String
  /// A result that the original does not return, in Lua.
  let other: String

  init(_ header: String, _ original: String, other: String) {
    self.header = header
    self.original = original
    self.other = other
  }

  /// The call of the function by its own name, which comes to the override again.
  var again: String {
    original.replacing(":ORIGtitle()", with: ".title").replacing("ORIG", with: "")
  }

  static let head = """
    local V, A, T = class "Bank.Values", class "Bank.Account", class "Bank.Thrower"
    local M, C, W = class "Bank.Machine", class "Bank.Closures", class "Bank.AsyncWaits"
    local Bank = module "Bank"
    kept = {}

    """

  /// A function of `Bank.Values`, which has one for each kind of value.
  private static func value(_ name: String, other: String) -> CallPathRow {
    CallPathRow("V:\(name)(a)", "self:ORIG\(name)(a)", other: other)
  }

  static let all =
    [
      value("int", other: "-7"), value("int8", other: "-8"), value("uint16", other: "16"),
      value("int32", other: "-1 << 31"), value("uint64", other: "64"),
      value("bool", other: "false"), value("float", other: "0.25"), value("double", other: "-0.5"),
      value("string", other: "('other'):rep(9)"), value("object", other: "a"),
      value("optionalInt", other: "nil"), value("optionalString", other: "'other'"),
      value("optionalObject", other: "nil"), value("character", other: "'o'"),
      value("point", other: "{ x = 1, y = 2 }"), value("padded", other: "a"),
      value("large", other: "a"), value("ints", other: "{ 1, 2 }"),
      value("counts", other: "{ x = 1 }"), value("anything", other: "3"),
      value("payload", other: "a"), value("labelledValue", other: "a"),
      CallPathRow("V:nothing(a)", "self:ORIGnothing()", other: "nil"),
      CallPathRow("V:changes(a)", "self:ORIGchanges(a)", other: "9"),
    ] + [
      CallPathRow(
        "V:mixed(a, b, c, d, e, f)", "self:ORIGmixed(a, b, c, d, e, f)", other: "'other'"),
      CallPathRow(
        "V:tenInts(a, b, c, d, e, f, g, h, i, j)", "self:ORIGtenInts(a, b, c, d, e, f, g, h, i, j)",
        other: "{ a, j }"),
      CallPathRow(
        "V:tenDoubles(a, b, c, d, e, f, g, h, i, j)",
        "self:ORIGtenDoubles(a, b, c, d, e, f, g, h, i, j)", other: "{ a, j }"),
      CallPathRow(
        "V:many(a, b, c, d, e, f, g, h, i, j, k)",
        "self:ORIGmany(a, b, c, d, e, f, g, h, i, j, k)", other: "'other'"),
      CallPathRow("T:attempt(a)", "self:ORIGattempt(a)", other: "9"),
      CallPathRow("T:shrink(a)", "self:ORIGshrink(a)", other: "9"),
      CallPathRow("A:withdraw(a)", "self:ORIGwithdraw(a)", other: "9"),
      CallPathRow("A:deposit(a, b)", "self:ORIGdeposit(a, b)", other: "9"),
      CallPathRow("A.get:title(a)", "self:ORIGtitle()", other: "'other'"),
      CallPathRow("M.static:kind(a)", "self:ORIGkind(a)", other: "'other'"),
      CallPathRow("M.static:build(a)", "self:ORIGbuild(a)", other: "nil"),
      CallPathRow("M:same(a)", "self:ORIGsame()", other: "self"),
      CallPathRow("M:consume(a)", "self:ORIGconsume(a)", other: "9"),
      CallPathRow("M:visit(a)", "self:ORIGvisit(a)", other: "a(9)"),
      CallPathRow("M:limited(a)", "self:ORIGlimited(a)", other: "9"),
      CallPathRow("M:pick(a, b)", "self:ORIGpick(a, b)", other: "b"),
      CallPathRow("C:run(a)", "self:ORIGrun(a)", other: "9"),
      CallPathRow("Bank.gross(a)", "Bank.ORIGgross(a)", other: "9"),
    ]

  /// Functions that may wait.
  static let async = [
    CallPathRow("W:ready(a)", "self:ORIGready(a)", other: "9"),
    CallPathRow("W:yields(a)", "self:ORIGyields(a)", other: "9"),
    CallPathRow("W:rest(a)", "self:ORIGrest(a)", other: "9"),
    CallPathRow("W:watched(a)", "self:ORIGwatched(a)", other: "'other'"),
    CallPathRow("W:linger(a)", "self:ORIGlinger(a)", other: "9"),
  ]

  /// Calls every function of `all` as often as an outcome says.
  /// - Returns: What came of each call, a line each.
  static func call(for outcome: CallPathOutcome) -> [String] {
    (0..<outcome.rounds).flatMap { round in
      let lines = values(round) + numbers(round) + objects(round)
      if outcome.leavesGarbage { return lines }
      return lines + [
        "alive: \(Census.accounts.alive - 1) accounts, \(Machine.census.alive) machines"
      ]
    }
  }

  static func callAsync(_ rounds: Int) async -> [String] {
    let waits = AsyncWaits()
    var lines: [String] = []
    for round in 0..<rounds {
      lines.append("ready \(await waits.ready(round))")
      lines.append("yields \(await waits.yields(round))")
      do { lines.append("rest \(try await waits.rest(round))") } catch { lines.append("\(error)") }
      lines.append("watched \(await waits.watched(round))")
      lines.append("linger \(await waits.linger(round))")
    }
    return lines + waits.notes
  }

  /// One call, and what it returns or throws.
  private static func line(_ name: String, _ call: () throws -> Any) -> String {
    do {
      return "\(name) \(try call())"
    } catch {
      return "\(name) throws \(error)"
    }
  }

  private static func values(_ round: Int) -> [String] {
    let values = Values()
    let text = String(repeating: "text \(round) ", count: round * 2)
    var number = round
    values.changes(&number)
    values.nothing()
    return [
      line("int") { values.int(round) }, line("int8") { values.int8(-5) },
      line("uint16") { values.uint16(.max) }, line("int32") { values.int32(.min) },
      line("uint64") { values.uint64(.max) }, line("bool") { values.bool(true) },
      line("float") { values.float(0.5) }, line("double") { values.double(1e300) },
      line("string") { values.string(text) },
      line("optionalInt") { values.optionalInt(round == 0 ? nil : round) as Any },
      line("optionalString") { values.optionalString(round == 0 ? nil : text) as Any },
      line("character") { values.character("é") },
      line("point") { values.point(Point(x: round, y: 0.5)) },
      line("padded") {
        values.padded(Padded(flag: true, small: -1, inner: Point(x: 1, y: 2), tail: 7))
      },
      line("large") { values.large(Large()) }, line("ints") { values.ints([3, round]) },
      line("counts") { values.counts(["n": round]) },
      line("anything") { values.anything(round == 0 ? "text" : round) },
      line("payload") { values.payload(.pair(round, .text(text))) },
      line("labelledValue") { values.labelledValue(Point(x: round, y: 1)).label() },
      "changes \(number)",
    ]
  }

  private static func numbers(_ round: Int) -> [String] {
    let (values, n) = (Values(), round)
    return [
      line("tenInts") { values.tenInts(n, 2, 3, 4, 5, 6, 7, 8, 9, -10) },
      line("tenDoubles") { values.tenDoubles(0.5, 2, 3, 4, 5, 6, 7, 8, 9, -10) },
      line("many") { values.many(n, 0.5, 0.25, "d", -5, true, nil, 8, [9], 10, "k") },
      line("gross") { gross(n) },
    ]
  }

  private static func objects(_ round: Int) -> [String] {
    let (values, thrower, closures) = (Values(), Thrower(), Closures())
    let account = Account(owner: "Ada")
    let machine = Machine(number: round)
    closures.handler = { $0 * 2 }
    _ = Trace.shared.take()  // of calls before these
    return [
      line("object") { values.object(Account(owner: "new")).owner },
      line("optionalObject") { values.optionalObject(account).map(\.owner) as Any },
      line("mixed") { values.mixed(-1, round, true, 0.5, "e", Account(owner: "f")) },
      line("attempt") { try thrower.attempt(round) }, line("attempt") { try thrower.attempt(-1) },
      line("shrink") { thrower.shrink(round) },
      line("deposit") { account.deposit(100, memo: "memo") },
      line("withdraw") { try account.withdraw(40) },
      line("withdraw") { try account.withdraw(1000) },
      line("balance") { account.balance }, line("title") { account.title },
      line("kind") { Machine.kind(round) }, line("build") { Machine.build(round).number },
      line("same") { machine.same() === machine },
      line("consume") { machine.consume(Machine(number: 9)) },
      line("visit") { machine.visit { $0 + 1 } }, line("limited") { try machine.limited(round) },
      line("limited") { try machine.limited(-1) }, line("pick") { machine.pick("a", "b") },
      line("run") { closures.run(round) }, "events \(Trace.shared.take())",
    ]
  }
}

/// What becomes of the calls: the body that all functions of a patch have.
struct CallPathOutcome: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let isForAsync: Bool
  /// How often each function is called.
  let rounds: Int
  /// Whether objects are left that Lua's collector frees at a time of its own: calls that are ended on the way back
  /// from many levels leave some.
  var leavesGarbage: Bool { testDescription == "calls of itself" }
  private let manifest: String
  private let body: @Sendable (CallPathRow) -> String

  private init(
    _ name: String, manifest: String = "", rounds: Int = 2, isForAsync: Bool = true,
    _ body: @escaping @Sendable (CallPathRow) -> String
  ) {
    testDescription = name
    self.manifest = manifest
    self.rounds = rounds
    self.isForAsync = isForAsync
    self.body = body
  }

  func script(_ rows: [CallPathRow]) -> String {
    manifest + CallPathRow.head
      + rows.map { "function \($0.header)\n  \(body($0))\nend\n" }.joined()
  }

  private static let few = "patch { limits = { instructions = 20000 } }\n"
  private static let throwing = "patch { on_error = 'throw' }\n"

  static let all = [
    Self("the original's result") { "return \($0.original)" },
    Self("the original's result, kept in between") { "last = \($0.original) return last" },
    Self("the original's result, twice") { "local r = \($0.original) return \($0.original)" },
    Self("another result") { "return \($0.other)" },
    Self("another result after the original") { "local r = \($0.original) return \($0.other)" },
    Self("a result of another type") { _ in "return print" },
    Self("a result of another type after the original") { "local r = \($0.original) return print" },
    Self("too many results") { "return \($0.original), 1, 2" },
    Self("a fault") { _ in "local x = nil + 1" },
    Self("a fault after the original") { "local r = \($0.original) local x = nil + 1" },
    Self("a fault, thrown", manifest: throwing) { _ in "local x = nil + 1" },
    Self("an error") { _ in "error('no')" },
    Self("an error that is a table") { _ in "error({ code = 5 })" },
    Self("an error after the original") { "local r = \($0.original) error('no')" },
    Self("throw") { _ in "throw('no')" },
    Self("the original's error, caught") {
      "local ok, r = pcall(function() return \($0.original) end) if ok then return r end "
        + "return \($0.other)"
    },
    Self("the original's error, thrown on") {
      "local ok, r = pcall(function() return \($0.original) end) if ok then return r end throw(r)"
    },
    Self("values kept") { "kept[#kept + 1] = a or self return \($0.original)" },
    Self("the wrong arguments") {
      "return " + $0.original.replacing("(a", with: "(print")
    },
    Self("too few instructions", manifest: few, rounds: 1) { _ in "while true do end" },
    Self("too few instructions, caught", manifest: few, rounds: 1) { _ in
      "while true do pcall(function() while true do end end) end"
    },
    Self("too few instructions after the original", manifest: few, rounds: 1) {
      "local r = \($0.original) while true do end"
    },
    Self("calls of itself", rounds: 1, isForAsync: false) { "local r = \($0.again) return r" },
    Self("switched off", rounds: 8) { _ in "local x = nil + 1" },
    Self("switched off after the original", rounds: 8) { "local r = \($0.original) error('no')" },
  ]
}
