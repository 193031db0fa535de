// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

/// Completion as somebody sees it who types: each shell in a terminal.
@Suite(.enabled(if: Terminal.isThere)) struct TerminalTests {
  let tool: Tool
  let daemon: FakeDaemon

  init() throws {
    tool = try Tool()
    daemon = try FakeDaemon(tool)
    for name in ["overdraft.lua", "my patch.lua", "notes.txt"] {
      try tool.folder.write([], to: "work/\(name)")
    }
  }

  /// What is typed, and what the line is after Tab.
  static let lines = [
    ("waxwing res", "waxwing restore"),
    ("waxwing status --exit", "waxwing status --exit-zero"),
    ("waxwing apply ov", "waxwing apply overdraft.lua"),
    ("waxwing apply my", #"waxwing apply my\ patch.lua"#),
    ("waxwing sign --key no", "waxwing sign --key notes.txt"),
    ("waxwing list ba", "waxwing list bankd"),
    ("waxwing list --program=ba", "waxwing list --program=bankd"),
    ("waxwing check --program ba", "waxwing check --program bankd"),
    ("waxwing revert --program bankd ov", "waxwing revert --program bankd overdraft"),
    ("waxwing explain Bank.A", #"waxwing explain Bank.Account.withdraw\(_:memo:\)"#),
    ("waxwing boot re", "waxwing boot retry"),
    ("waxwing log --level wa", "waxwing log --level warning"),
    ("waxwing trace --su", "waxwing trace --summary"),
    ("waxwing fleet rol", "waxwing fleet rollout"),
    ("waxwing fleet nodes --js", "waxwing fleet nodes --json"),
  ]

  @Test func `bash completes in a terminal`() throws {
    let script = try tool.run("completion", "bash").output
    let start = try tool.folder.write((script + "PS1='> '\n").utf8, to: "bashrc")
    let terminal = try Terminal("bash --noprofile --rcfile \(start) -i", tool)
    try check(terminal)
  }

  @Test(.enabled(if: Terminal.isInstalled("zsh")))
  func `zsh completes in a terminal`() throws {
    let script = try tool.run("completion", "zsh").output
    try tool.folder.write(script.utf8, to: "functions/_waxwing")
    try tool.folder.write(fleetScript("zsh").utf8, to: "functions/_waxwing-fleet")
    let start = """
      PS1='> '
      fpath=(\(tool.folder.path)/functions $fpath)
      autoload -U compinit
      compinit -u -D
      """
    try tool.folder.write(start.utf8, to: ".zshrc")
    let terminal = try Terminal(
      "zsh --no-global-rcs -i", tool, environment: ["ZDOTDIR": tool.folder.path])
    try check(terminal)
  }

  @Test(.enabled(if: Terminal.isInstalled("fish")))
  func `fish completes in a terminal`() throws {
    let script = try tool.run("completion", "fish").output
    let start = try tool.folder.write(
      (script + fleetScript("fish")
        + "\nset -g fish_autosuggestion_enabled 0\nfunction fish_prompt; echo -n '> '; end\n")
        .utf8, to: "start.fish")
    let terminal = try Terminal("fish --no-config -i -C 'source \(start)'", tool)
    try check(terminal)
  }

  private func fleetScript(_ shell: String) throws -> String {
    try Command(Tool.path + "-fleet", ["completion", shell]).run().standardOutput
  }

  private func check(_ terminal: Terminal) throws {
    #expect(try terminal.screen(until: ">") == ">")
    for (typed, completed) in Self.lines {
      try terminal.type(typed)
      #expect(try terminal.screen(until: "> \(typed)") == "> \(typed)")
      try terminal.press("Tab")
      let expected = "> \(completed)"
      #expect(try terminal.screen(until: expected) == expected)
      // Away with the line.
      try terminal.press("C-u")
      #expect(try terminal.screen(until: ">") == ">")
    }
  }
}
