// SPDX-License-Identifier: MIT

import ByteTrials
import Testing
import WaxwingControl
import WaxwingTestSupport

/// What the scripts for shells complete, without a terminal; TerminalTests has real ones.
@Suite struct CompletionTests {
  let tool: Tool
  let daemon: FakeDaemon

  init() throws {
    tool = try Tool()
    daemon = try FakeDaemon(tool)
    for name in ["overdraft.lua", "my patch.lua", "notes.txt", "fees/main.lua"] {
      try tool.folder.write([], to: "work/\(name)")
    }
  }

  /// Words as bash splits a line, the part of the last one that readline replaces, and what it offers.
  struct Completion: CustomTestStringConvertible, Sendable {
    let words: [String]
    var part: String?
    var line: String?
    let offered: [String]

    var testDescription: String { words.joined(separator: " ") }
  }

  static let completions: [Completion] = [
    Completion(words: ["waxwing", "re"], offered: ["record", "replay", "restore", "revert"]),
    Completion(words: ["waxwing", "--v"], offered: ["--version"]),
    Completion(words: ["waxwing", "help", "stat"], offered: ["status"]),
    Completion(words: ["waxwing", "list", ""], offered: ["bankd"]),
    Completion(words: ["waxwing", "list", "--program", "b"], offered: ["bankd"]),
    Completion(
      words: ["waxwing", "list", "--program", "=", "b"], line: "waxwing list --program=b",
      offered: ["bankd"]),
    Completion(
      words: ["waxwing", "list", "--program", "="], part: "", line: "waxwing list --program=",
      offered: ["bankd"]),
    Completion(words: ["waxwing", "list", "--j"], offered: ["--json"]),
    Completion(words: ["waxwing", "list", "--json", "--j"], offered: []),
    Completion(
      words: ["waxwing", "check", "--program", "bankd", "--prog"], offered: ["--program"]),
    Completion(words: ["waxwing", "revert", ""], offered: ["overdraft", "rounding"]),
    Completion(words: ["waxwing", "revert", "--wait", "5", "r"], offered: ["rounding"]),
    Completion(words: ["waxwing", "revert", "rounding", ""], offered: ["bankd"]),
    Completion(words: ["waxwing", "revert", "--program", "ledgerd", ""], offered: []),
    Completion(
      words: ["waxwing", "revert", "--program", "bankd", "rounding", "b"], offered: []),
    Completion(words: ["waxwing", "trace", "Account", ""], offered: ["bankd"]),
    Completion(
      words: ["waxwing", "explain", "Bank.A"], offered: [#"Bank.Account.withdraw\(_:memo:\)"#]),
    Completion(
      words: ["waxwing", "explain", #"Bank.Account.withdraw\(_"#, ":", "me"],
      line: #"waxwing explain Bank.Account.withdraw\(_:me"#, offered: [#"memo:\)"#]),
    Completion(
      words: ["waxwing", "explain", "'Bank.A"], part: "Bank.A",
      offered: ["Bank.Account.withdraw(_:memo:)"]),
    Completion(words: ["waxwing", "apply", "o"], offered: ["overdraft.lua"]),
    Completion(words: ["waxwing", "apply", "overdraft.lua", "m"], offered: ["my patch.lua"]),
    Completion(
      words: ["waxwing", "apply", ""], offered: ["fees", "my patch.lua", "overdraft.lua"]),
    Completion(words: ["waxwing", "store", "--folder", ""], offered: ["fees"]),
    Completion(words: ["waxwing", "boot", ""], offered: ["bankd", "drop", "retry"]),
    Completion(words: ["waxwing", "audit", ""], offered: ["bankd", "verify"]),
    Completion(
      words: ["waxwing", "log", "--level", ""], offered: ["debug", "error", "info", "warning"]),
    Completion(words: ["waxwing", "version", ""], offered: ["--help", "--json"]),
    Completion(words: ["waxwing", "run", "overdraft.lua", "--he"], offered: []),
    Completion(words: ["waxwing", "frobnicate", ""], offered: []),
    Completion(words: ["waxwing", "fleet", "rol"], offered: ["rollout"]),
    Completion(words: ["waxwing", "fleet", "rollout", "st"], offered: ["start"]),
    Completion(
      words: ["waxwing", "fleet", "nodes", "--fleet", "=", "a", "--js"],
      line: "waxwing fleet  nodes --fleet=a --js", offered: ["--json"]),
  ]

  @Test(arguments: completions)
  func `bash completes`(completion: Completion) throws {
    let words = completion.words
    let part = completion.part ?? words[words.count - 1]
    let line = completion.line ?? words.joined(separator: " ")
    let result = try bash(
      """
      COMP_LINE=$1 COMP_POINT=${#1} part=$2
      shift 2
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _waxwing waxwing "$part"
      printf '%s\\n' "${COMPREPLY[@]}"
      """, [line, part] + words)
    #expect(result.standardError == "")
    #expect(lines(result.standardOutput).sorted() == completion.offered)
  }

  @Test func `names of patches that a shell would run are quoted, and not run`() throws {
    let evil = PatchStatus(
      name: "$(touch evil)`touch evil`; touch evil", version: 1, file: "evil.lua", state: .active,
      appliedAt: Timestamp(secondsSince1970: 1_700_000_000), overrides: [])
    let tool = try Tool()
    let daemon = try FakeDaemon(tool) { request in
      if request is ListRequest {
        .to(ListRequest.self, [evil])
      } else {
        FakeDaemon.answer(request)
      }
    }
    try tool.folder.write([], to: "work/notes.txt")
    let result = try bash(
      """
      COMP_WORDS=(waxwing revert '') COMP_CWORD=2 COMP_LINE='waxwing revert ' COMP_POINT=15
      _waxwing waxwing ''
      printf '%s\\n' "${COMPREPLY[@]}"
      eval "printf '%s\\n' ${COMPREPLY[0]}"
      ls
      """, [], tool)
    let quoted = #"\$\(touch\ evil\)\`touch\ evil\`\;\ touch\ evil"#
    #expect(lines(result.standardOutput) == [quoted, evil.name, "notes.txt"])
    withExtendedLifetime(daemon) {}
  }

  @Test func `the scripts have the commands and options that help has`() throws {
    let zsh = try tool.run("completion", "zsh").output
    let fish = try tool.run("completion", "fish").output
    let commands = try entries("Commands:", of: ["--help"])
    #expect(commands.count > 25)
    let known = try bash("printf '%s\\n' $_waxwing_commands", [])
    #expect(lines(known.standardOutput) == commands + ["help"])
    for command in commands {
      let options = try entries("Options:", of: [command, "--help"])
      let result = try bash(
        """
        declare -A valued
        _waxwing_command "$1"
        printf '%s\\n' "${switches[@]}" "${!valued[@]}"
        """, [command])
      #expect(lines(result.standardOutput).sorted() == options.sorted(), "\(command)")
      let branch = try #require(
        zsh.split(separator: "\n    (\(command))\n").dropFirst().first?.split(separator: ";;").first
      )
      for option in options {
        #expect(branch.contains("\(option)[") || branch.contains("\(option)=["))
        let name = option.hasPrefix("--") ? "-l \(option.dropFirst(2))" : "-s \(option.dropFirst())"
        let line = "complete -c waxwing -n '__waxwing_at \(command)"
        #expect(
          lines(fish).contains { $0.hasPrefix(line) && $0.contains(" \(name) ") }, "\(option)")
      }
    }
  }

  @Test func `names are looked up quietly`() throws {
    #expect(try tool.run("complete", "daemon").output == "bankd\n")
    #expect(try tool.run("complete", "patch").output == "overdraft\nrounding\n")
    let empty = Tool.Result(exitCode: 0)
    #expect(try tool.run("complete", "patch", "--program", "ledgerd") == empty)
    #expect(try Tool().run("complete", "daemon") == empty)
  }

  /// The first words of a part of the help.
  private func entries(_ title: String, of words: [String]) throws -> [String] {
    let help = lines(try tool.run(list: words).output, keepingEmpty: true)
    let part = help.drop { $0 != title }.dropFirst().prefix { !$0.isEmpty }
    return part.filter { $0.dropFirst(2).first != " " }.map {
      String($0.dropFirst(2).prefix { $0 != " " })
    }
  }

  /// Runs lines of bash that know the tool's completion.
  private func bash(
    _ script: String, _ arguments: [String], _ tool: Tool? = nil
  ) throws -> CommandResult {
    let tool = tool ?? self.tool
    let path = Tool.path.split(separator: "/").dropLast().joined(separator: "/")
    let head = "source <(waxwing completion bash)\n"
    return try Command(
      "/bin/bash", ["-c", head + script, "bash"] + arguments,
      environment: [
        "WAXWING_SOCKET_DIR": tool.folder.path + "/s", "PATH": "/\(path):/usr/bin:/bin",
      ], directory: tool.folder.path + "/work"
    ).run()
  }

  private func lines(_ text: String, keepingEmpty: Bool = false) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: !keepingEmpty).map(String.init)
  }
}
