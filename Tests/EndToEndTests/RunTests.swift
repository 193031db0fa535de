// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

@Suite struct RunTests {
  let shell: Shell

  init() throws {
    shell = try Shell()
  }

  @Test func `a script gets its arguments and has the outputs to itself`() throws {
    try shell.directory.write(
      """
      print(#{...}, ...)
      io.write("written\\n")
      log.warn("careful", { of = "this" })
      """, to: "hello.lua")
    try expectEqual(
      run("hello.lua", "--from", "eur", "12"),
      CommandResult(
        status: .exited(0), standardOutput: "3\t--from\teur\t12\nwritten\n",
        standardError: "warn: hello.lua:3: careful of=this\n"))
  }

  @Test func `chunks that a script loads have its globals, and Lua's libraries can be required`()
    throws
  {
    try shell.directory.write("y = 7 return x", to: "other.lua")
    try shell.directory.write("z = 8 return { name = ... }", to: "installed.lua")
    try shell.directory.write(
      """
      x = 5
      local file = shell_directory .. "/other.lua"
      print(load("return x")(), load("return x", "c", "t", { x = 6 })())
      print(dofile(file), y, loadfile(file)(), loadfile(file, "t", { x = 9 })())
      print(load("return _G")() == _G, require "_G" == _G, require "coroutine" == coroutine)
      print(require "os" == os, require "string" == string, require "io" == io)
      package.path = shell_directory .. "/?.lua"
      print(require("installed").name, require "installed" == require "installed", z)
      print(pcall(require, "nothing.of.this.name"))
      print(load("return +", "=c"))
      """.replacing("shell_directory", with: "\"\(shell.directory.path)\""), to: "load.lua")
    let result = try run("load.lua")
    expectEqual(
      result.standardOutput.split(separator: "\n").prefix(5).joined(separator: "\n"),
      """
      5\t6
      5\t7\t5\t9
      true\ttrue\ttrue
      true\ttrue\ttrue
      installed\ttrue\t8
      """)
    expectContains(result.standardOutput, "false\tthe patch has no module")
    expectContains(result.standardOutput, "nil\tc:1:")
  }

  @Test func `methods are added to a library's classes, at any time`() throws {
    try shell.directory.write(
      """
      local Formatter = class "Foundation.DateFormatter"
      Formatter:method("shout", function(self, text) return string.upper(text) end)
      local function later()
        Formatter:method("whisper", function(self, text) return self:shout(text) .. "?" end)
      end
      later()
      print(Formatter():whisper("hello"))
      print(pcall(on, "ending", later))
      """, to: "methods.lua")
    try expectEqual(
      run("methods.lua"),
      CommandResult(
        status: .exited(0),
        standardOutput: """
          HELLO?
          false\tmethods.lua:8: only patches start and end; this script just runs

          """, standardError: ""))
  }

  @Test(arguments: [
    "class('Own', nil)", "conform('Swift.Int', 'CustomStringConvertible', {})",
    "import 'Foundation' class('NSObject'):deinit(print)",
  ])
  func `what overrides is for patches`(code: String) throws {
    let result = try run("-e", code)
    expectEqual(result.status, .exited(3))
    expectContains(result.standardError, "by patches only: `waxwing run` has no program")
  }

  @Test func `an error ends it with exit code 3, file, line and traceback`() throws {
    try shell.directory.write(
      """
      local function check(text) return text.length.width end
      check({})
      """, to: "wrong.lua")
    let result = try run("wrong.lua")
    expectEqual(
      result,
      CommandResult(
        status: .exited(3), standardOutput: "",
        standardError: """
          waxwing: error: wrong.lua:1: attempt to index a nil value (field 'length') with 'width'
            wrong.lua:1: in function 'check'
            wrong.lua:2: in main chunk

          """))
  }

  @Test func `code on the command line gets its arguments`() throws {
    try expectEqual(
      run("-e", "print(#{...}, ...)", "a", "-x"),
      CommandResult(status: .exited(0), standardOutput: "2\ta\t-x\n", standardError: ""))
    try expectEqual(run("-e", "os.exit(9)").status, .exited(9))
    let wrong = try run("-e", "local function f() return nope end f()")
    expectEqual(wrong.status, .exited(3))
    #expect(wrong.standardError.hasPrefix("waxwing: error: -e.lua:1: undefined variable `nope`\n"))
  }

  @Test func `what comes from a pipe runs piece by piece and goes on after an error`() throws {
    try shell.directory.write(
      """
      1 + 1
      x = {1, "two", {three = 3}}
      x

      for i = 1, 2 do
        print(i)
      end
      nope
      local function f() error("boom") end f()
      typeof(5), typeof("x"), typeof(nil), typeof({})
      x = = 2
      print("still here")
      """, to: "input")
    try expectEqual(
      bash("waxwing run < input"),
      CommandResult(
        status: .exited(3),
        standardOutput: """
          2
          {1, "two", {three = 3}}
          1
          2
          integer\tstring\tnil\ttable
          still here

          """,
        standardError: """
          shell:1: undefined variable `nope`
            shell:1: in main chunk
          shell:1: boom
            [C]: in function 'error'
            shell:1: in function 'f'
            shell:1: in main chunk
          shell:1: unexpected symbol near '='

          """))
    try expectEqual(bash("echo '1 + 1' | waxwing run").status, .exited(0))
    try expectEqual(bash("echo 'if true then' | waxwing run").status, .exited(3))
    try expectEqual(bash("echo 'x' | waxwing run -i -e 'x = 7'").standardOutput, "7\n")
  }

  @Test func `what comes from a pipe goes on after a trap, and code reads the same input`() throws {
    try shell.directory.write(
      """
      x = 1
      String("x", -1)
      x
      print(io.read("l"))
      a line that is read
      "end"
      """, to: "input")
    let result = try bash("waxwing run < input")
    expectEqual(result.status, .exited(3))
    expectEqual(result.standardOutput, "a line that is read\nend\n")
    for text in [
      "the program was ended by SIGILL, a trap of Swift's, in `", ": Fatal error: ",
      "\n  a fresh program has taken its place; gone: x\n", "undefined variable `x`",
    ] {
      expectContains(result.standardError, text)
    }
    try expectEqual(bash("echo 'os.exit(7)' | waxwing run").status, .exited(7))
    let script = try bash("echo 'x' | waxwing run -i -e 'x = 5 String(\"x\", -1)'")
    #expect(script.status == .exited(3) && script.standardError.contains("SIGILL"))
  }

  @Test func `a trap in a task is told when the next piece is typed, which does not run`() throws {
    let result = try bash(
      """
      (
        echo 'x = 1 after(0.01, function() String("x", -1) end)'
        # Until the trap has been reported, 40 s at most.
        for _ in {1..400}; do grep -qs 'Fatal error' errors && break || sleep 0.1; done
        echo 'print("this is lost")'
        echo 'print("and this is not")'
      ) | waxwing run 2>errors
      cat errors >&2
      """)
    expectEqual(result.standardOutput, "and this is not\n")
    expectContains(result.standardError, "what was typed has not run; a fresh program")
  }

  @Test func `on a terminal it prompts, and ends with exit or the end of input`() throws {
    let session = try bash(
      "printf '%s\\n' '20 + 22' 'if true' 'then print(\"in\" .. \"side\") end' 'error(\"x\")' 'exit()' "
        + "| WAXWING_HISTORY= script -qec 'exec waxwing run' /dev/null")
    expectEqual(session.status, .exited(0))
    let text = session.standardOutput
    expectContains(text, "help() explains; Ctrl-D or exit() ends")
    #expect(text.contains("\n42\r") || text.contains("42\r\n"))
    expectContains(text, ">> ")
    expectContains(text, "inside")
    expectContains(text, "shell:1: x")
  }

  @Test(.enabled(if: TerminalTypist.isPossible))
  func `Ctrl-C stops what runs, or what is being typed, and the shell goes on`() throws {
    let typist = try TerminalTypist(shell.tool(["run"]), in: shell.path)
    try typist.type("print('be' .. 'gun') while true do end\r", until: "begun\n")
    try typist.type("\u{3}", until: "interrupted\n  shell:1: in main chunk")
    typist.waitForPrompt()
    try typist.type("if true then\r", until: "\n>> ")
    try typist.type("\u{3}", until: "\n> ")
    try typist.type("print('af' .. 'ter')\r", until: "\nafter\n")
    typist.waitForPrompt()
    try typist.type("exit\r", until: "exit\n")
    try expectEqual(typist.process.waitForExit(), .exited(0))
  }

  @Test(.enabled(if: RunTests.hasEditor && TerminalTypist.isPossible))
  func `Tab completes names, and lines are kept`() throws {
    let typist = try TerminalTypist(
      shell.tool(["run"]), in: shell.path, history: shell.path + "/history")
    try typist.type("url = URL('https://a.b')\r", until: "b')\n")
    typist.waitForPrompt()
    try typist.type("url:appendingPathE\t('x').path\r", until: ".x\n")
    typist.waitForPrompt()
    try typist.type("exit\r", until: "exit\n")
    try expectEqual(typist.process.waitForExit(), .exited(0))
    let history = try bash("stat -c %a history; cat history").standardOutput
    expectContains(history, "600\n")
    expectContains(history, "url:appendingPathExtension('x').path")
  }

  private static let hasEditor =
    (try? Shell().bash("ldconfig -p | grep -q libedit.so.2"))?.isSuccess == true

  @Test func `help explains, and typeof lists what there is`() throws {
    try shell.directory.write(
      """
      help
      help()
      typeof(URL, "pathext")
      typeof(Calendar.Component.year, "case y")
      typeof(Foundation, "enum jsondecoding")
      typeof(Int, "random(in: Range<A>)")
      exit
      error("not reached")
      """, to: "input")
    let result = try bash("waxwing run < input")
    expectEqual(result.status, .exited(0))
    let help = "Lua 5.4 with Swift's names:"
    expectEqual(result.standardOutput.components(separatedBy: help).count, 3)
    #expect(
      result.standardOutput.hasSuffix(
        """
        struct Foundation.URL: CustomStringConvertible, Decodable, Encodable, Equatable, Hashable
          var pathExtension: String { get }
          func appendPathExtension(_: String)
          func appendingPathExtension(_: String) -> URL
          func deletePathExtension()
          func deletingPathExtension() -> URL
        enum Foundation.Calendar.Component: Equatable, Hashable
          case year
          case yearForWeekOfYear
        module Foundation
        struct Int: Comparable, CustomStringConvertible, Decodable, Encodable, Equatable, Hashable
          static func random(in: Range<A>) -> A

        """), "\(result.standardOutput)")
  }

  @Test func `a type of a library that is not loaded tells where it is`() throws {
    let result = try run("-e", "print(URLSession)")
    expectContains(
      result.standardError,
      #"undefined variable `URLSession`; it is in a library: import "FoundationNetworking""#)
    try expectEqual(
      run("-e", "import 'FoundationXML' print(XMLDocument)").standardOutput,
      "FoundationXML.XMLDocument\n")
  }

  @Test func `what is shown is bounded, and a local that is gone is explained`() throws {
    try shell.directory.write(
      """
      string.rep("x", 100000)
      x = {} x.x = x for i = 1, 100000 do x[i] = i end
      x
      local y = 1
      y
      """, to: "input")
    let result = try bash("waxwing run < input")
    #expect(result.standardOutput.utf8.count < 3000)
    expectContains(result.standardOutput, "… (100000 bytes)")
    #expect(result.standardOutput.hasSuffix(", 39, 40, …}\n"))
    #expect(
      result.standardError.hasSuffix(
        "locals end with their line; leave out `local` to keep `y`\n"))
  }

  @Test func `an error in a call of Swift has its place, and in a coroutine as well`() throws {
    try shell.directory.write(
      """
      URL(1, 2, 3, 4, 5)
      function f() return Date.nothing end
      f()
      coroutine.wrap(function() Int.nothing() end)()
      """, to: "input")
    let result = try bash("waxwing run < input")
    expectContains(result.standardError, "shell:1: no `Foundation.URL` takes (integer 1, ")
    expectContains(result.standardError, "shell:1: Foundation.Date has no member `nothing`")
    expectContains(result.standardError, "shell:1: Swift.Int has no member `nothing`")
    expectEqual(result.standardError.components(separatedBy: "shell:1: in main chunk").count, 4)
  }

  private func bash(_ line: String) throws -> CommandResult { try shell.bash(line) }

  private func run(_ arguments: String...) throws -> CommandResult {
    try shell.waxwing(["run"] + arguments)
  }
}
