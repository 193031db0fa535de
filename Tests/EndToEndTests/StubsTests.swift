// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// `waxwing stubs`.
@Suite struct StubsTests {
  private struct Points: Decodable {
    struct Point: Decodable {
      let selector: String
      let form: String
      let owner: String
      let type: String?
      let parameters: [String]
    }

    let points: [Point]
  }

  /// All symbols are read, by a tool that is not optimised, while other tests run.
  private static let patience = Duration.seconds(240)

  let shell: Shell
  let bankd: String

  init() throws {
    shell = try Shell()
    bankd = try BuiltProduct("bankd").path
  }

  private func stubs(of program: String, _ more: String...) throws -> [String] {
    let result = try shell.waxwing(["stubs", program] + more, timeout: Self.patience)
    #expect(result.isSuccess && result.standardError == "", "\(result.standardError)")
    try shell.directory.write(result.standardOutput, to: "stubs.lua")
    return result.standardOutput.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }.map(String.init)
  }

  @Test(arguments: ["bankd", "sweepd", "selfkinds", "crashd"])
  func `definitions are Lua, and their annotations have the grammar that they must have`(
    name: String
  ) throws {
    let lines = try stubs(of: try BuiltProduct(name).path, "--static")
    let run = try shell.waxwing(
      ["run", "-e", "assert(loadfile('stubs.lua'))()"], timeout: Self.patience)
    expectSuccess(run)
    var grammar = AnnotationGrammar()
    for line in lines { grammar.read(line) }
    #expect(grammar.mistakes.isEmpty, "\(grammar.mistakes.prefix(5))")
    #expect(grammar.count > 500)
    #expect(
      grammar.undefined.isEmpty,
      "\(grammar.undefined.prefix(5).map { ($0, grammar.named[$0] ?? "") })")
  }

  @Test func `operators that Lua has are there, with their operands`() throws {
    let lines = try stubs(of: try BuiltProduct("sweepd").path, "--static")
    let start = try #require(lines.firstIndex { $0.hasPrefix("---@class SweepFixture.Vector") })
    let operators = lines[start...].prefix { $0.hasPrefix("---@") }
      .filter { $0.hasPrefix("---@operator") }
    #expect(
      operators.sorted() == [
        "---@operator add(SweepFixture.Vector): SweepFixture.Vector",
        "---@operator mul(integer): SweepFixture.Vector",
        "---@operator sub(SweepFixture.Vector): SweepFixture.Vector",
        "---@operator unm: SweepFixture.Vector",
      ], "\(lines[start...].prefix(12))")
  }

  @Test func `what was written is told in JSON, too`() throws {
    struct Stubs: Decodable {
      let path, program: String
      let types, bytes: Int
    }
    struct Folder: Decodable {
      let folder, name, program: String
      let files: [String]
    }
    let written = try shell.waxwing(
      ["stubs", bankd, "--output", "b.lua", "--json"], timeout: Self.patience)
    let stubs = try JSONDecoder().decode(Stubs.self, from: Data(written.standardOutput.utf8))
    let text = try Data(contentsOf: URL(fileURLWithPath: shell.path + "/b.lua"))
    #expect(stubs.path == "b.lua" && stubs.program == "bankd" && stubs.types > 20)
    expectEqual(stubs.bytes, text.count)
    let made = try shell.waxwing(
      ["init", "x/../fees", "--program", bankd, "--json"], timeout: Self.patience)
    #expect(made.status == .exited(1), "x is not there")
    let again = try shell.waxwing(
      ["init", "fees", "--program", bankd, "--json"], timeout: Self.patience)
    let folder = try JSONDecoder().decode(Folder.self, from: Data(again.standardOutput.utf8))
    #expect(folder.folder == "fees" && folder.name == "fees" && folder.program == "bankd")
    #expect(folder.files.contains(".waxwing/stubs.lua") && folder.files.contains("main.lua"))
    for file in folder.files {
      #expect(FileManager.default.fileExists(atPath: "\(shell.path)/fees/\(file)"))
    }
    try expectEqual(shell.waxwing(["stubs", bankd, "--json"]).status, .exited(2))
  }

  @Test func `the grammar of the test finds mistakes`() {
    for line in [
      "---@param a", "---@class", "---@field [\"a type", "---@return table<string, >",
      "---@overload string", "---@unheard a string", "---@return fun(a: )", "---@type integer)",
      "---@param a b: string", "---@field a.b string",
    ] {
      var grammar = AnnotationGrammar()
      grammar.read(line)
      #expect(grammar.mistakes.count == 1, "\(line)")
    }
    var grammar = AnnotationGrammar()
    grammar.read("---@return bank.Account?")
    expectEqual(grammar.undefined, ["bank.Account"])
  }

  /// The lines between `---@class NAME` and the next class, for each.
  private func classes(_ lines: [String]) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    var name = ""
    for line in lines {
      if let match = line.prefixMatch(of: #/---@class ([\w.]+)/#) { name = String(match.1) }
      found[name, default: []].insert(line)
    }
    return found
  }

  @Test func `every point is there, under the name that the list has, with its original`() throws {
    let classes = classes(try stubs(of: bankd))
    let answer = try shell.waxwing(["points", bankd, "--json"], timeout: Self.patience)
    let points = try JSONDecoder().decode(Points.self, from: Data(answer.standardOutput.utf8))
      .points
    #expect(points.count > 200)
    for point in points {
      let local = point.form.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      var rest = point.form.dropFirst(local.count)
      var path = ""
      while let match = rest.prefixMatch(of: #/\.(static|get|set|willSet|didSet)(?=[.:\[])/#) {
        path += ".\(match.1)"
        rest = rest.dropFirst(match.0.count)
      }
      let owner = point.type ?? ""
      let isValue = path.isEmpty && !point.selector.contains(".init(")
      let name =
        point.type == nil ? "waxwing.module.bankd" : isValue ? owner : "\(owner).Type\(path)"
      let lines = classes[name] ?? []
      let wanted =
        rest.hasPrefix("[") ? "\(rest) = function(self" : "\(rest.prefix { $0 != "(" })("
      #expect(
        lines.contains { $0.contains(wanted) && $0.hasSuffix(" end") }, "\(point.form) in \(name)")
      let member = rest.drop { [".", ":", "[", "\""].contains($0) }.prefix {
        $0 != "(" && $0 != "\""
      }
      let originals =
        classes[
          point.type == nil ? name : path.hasPrefix(".static") ? "\(owner).Type.static" : owner]
        ?? []
      #expect(originals.contains { $0.contains("ORIG\(member)") }, "\(point.form)")
    }
  }

  @Test func `types are those of Lua, and comments those of the source`() throws {
    let lines = try stubs(of: bankd)
    let text = lines.joined(separator: "\n")
    for expected in [
      """
      ---Puts `amount` cents into the account.
      ---
      ---- Returns: The new balance.
      ---
      ---`func deposit(_: Int, memo: String) -> Int`
      ---@param value integer
      ---@param memo string
      ---@return integer
      function Value:deposit(value, memo) end
      """,
      "---An account that money can be paid into and out of at any time.",
      "---@class bankd.Account\n", "---@class bankd.SavingsAccount: bankd.Account\n",
      "---@class bankd.Account.Type: bankd.Account, waxwing.Type\n",
      "---@field balance integer", "---@field nickname string?",
      "---@field entries bankd.Entry[]",
      "---@overload fun(id: integer, owner: string, nickname: string?): bankd.Account\n",
      "---@alias bankd.HTTPMethod.Type.case \"other\"|\"get\"|\"post\"\n",
      "---@alias bankd.HTTPMethod.Type.plainCase \"get\"|\"post\"\n",
      "---@param accountKind bankd.AccountKind|bankd.AccountKind.Type.case\n",
      "---@field get bankd.HTTPMethod",
      "function Type.other(value1) end",
      "---@return table<string, integer>\nfunction Value:totals() end",
      "---@field Direction bankd.Transfer.Direction.Type",
      "---@overload fun(name: \"bankd.Account\"|\"Account\"): bankd.Account.Type",
      "---@overload fun(name: \"bankd\"): waxwing.module.bankd",
      "---@overload fun(name: \"guard\"|\"waxwing.guard\"): waxwing.Guard",
      "function guard.rate(target, selector, options) end",
      "---@type bankd.Account.Type\nAccount = nil", "---@async\n",
    ] {
      expectContains(text, expected)
    }
  }

  @Test func `a daemon's definitions are those of its file`() throws {
    let stage = try Stage()
    let written = try stage.tool(["stubs", "--socket", stage.socket, "--output", "stubs.lua"])
      .run(timeout: Self.patience)
    #expect(written.standardOutput.hasPrefix("wrote stubs.lua: "), "\(written)")
    let file = "\(stage.folder)/stubs.lua"
    try expectContains(String(contentsOfFile: file, encoding: .utf8), "---@class bankd.Account\n")
  }

  @Test func `what is no program, and what is asked wrongly, is refused`() throws {
    try shell.directory.write("text", to: "text")
    let missing = try shell.waxwing(["stubs", "text"])
    expectContains(missing.standardError, "the file is text, not an ELF image")
    let nothing = try shell.waxwing(["stubs"])
    expectContains(nothing.standardError, "'stubs' needs PROGRAM")
    let modules = try shell.waxwing(
      ["stubs", bankd, "--static", "--modules", "."], timeout: Self.patience)
    expectSuccess(modules)
    expectContains(modules.standardError, "warning: there is no bankd.swiftmodule in \(shell.path)")
  }
}
