// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

@Suite struct ConfigTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `check prints every mistake with its line, and exits 3`() throws {
    let file = try tool.folder.write(
      "observe = user:root\nlimits.memry = 5\n\nprotcet a.*\nunsigned = maybe\n".utf8, to: "a.conf")
    let result = try tool.run("config", "check", file)
    #expect(
      result
        == Tool.Result(
          exitCode: 3,
          errors: """
            waxwing: error: 3 mistakes: any mistake disables patching until it is fixed
              \(file):2: there is no key `limits.memry`; did you mean 'limits.memory', \
            'limits.depth' or 'limits.most-memory'?
              \(file):4: the line is neither `key = value` nor a rule; did you mean 'protect'?
              \(file):5: `unsigned` is `refuse` or `allow`, not `maybe`; write `unsigned = refuse`

            """))
  }

  @Test func `check exits 0 where there is no mistake, and 3 where there is no file`() throws {
    let file = try tool.folder.write("limits.stuck-seconds = 5\nprotect a.*\n".utf8, to: "b.conf")
    #expect(
      try tool.run("config", "check", file)
        == Tool.Result(exitCode: 0, output: "\(file): no mistakes\n"))
    let both = try tool.run("config", "check", file, file + ".none")
    #expect(both.exitCode == 3 && both.output == "\(file): no mistakes\n")
    #expect(both.errors.contains("b.conf.none: there is no such file"), "\(both)")
    #expect(try tool.run("config", "look").exitCode == 2)
    #expect(try tool.run("config", "reload", "x").exitCode == 7)
    #expect(try tool.run("config", "reload", "x", "y").exitCode == 2)
    #expect(try tool.run("config", "check", file, "--json").output.contains(#""files" : ["#))
  }

  @Test func `reload says what was read, what counts later, and what means nothing`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    #expect(
      try tool.run("config", "reload")
        == Tool.Result(
          exitCode: 0, output: "reloaded bankd (pid 4711): /etc/waxwing/bankd.conf\n",
          errors: """
            waxwing: warning: `store` takes effect at the program's next start
            waxwing: warning: `protect x` means nothing

            """))
  }
}
