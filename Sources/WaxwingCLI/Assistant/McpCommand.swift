// SPDX-License-Identifier: MIT

import Foundation
import WaxwingToolKit

/// `waxwing mcp`: lets an assistant look into running programs.
struct McpCommand: Command {
  let name = "mcp"
  let summary = "serves an assistant: a Model Context Protocol server on standard input and output"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [--timeout TIME] [--allow ACTION]…"]
  let arguments = [Argument.daemon]
  let options =
    [
      Option(
        "--allow", "ACTION", "let the assistant do this, too: \(AssistantAction.list)",
        .words(AssistantAction.allCases.map(\.rawValue)), repeats: true)
    ] + Option.daemon
  let notes = [
    """
    The assistant's program starts this command, and has its tools: daemons, status, list, points, explain,
    trace, check, log and others, each a command of waxwing. They only look. It can propose a patch, and
    check it; applying is left to you.
    """,
    """
    With --allow apply the assistant may apply patches from files, with revert and restore end them, and with
    shadow run patches beside the program, with expressions give Lua expressions to trace and record, which are code in the program. The daemon asks for the roles
    and signatures that it asks everybody for. With --program or --socket there is one daemon that the
    assistant sees; else all of this user's.
    """,
  ]
  let examples = [
    "waxwing mcp --program bankd", "waxwing mcp --allow apply --allow restore",
  ]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    var allowed: Set<AssistantAction> = []
    for word in arguments.lists["--allow"] ?? [] {
      guard let action = AssistantAction(rawValue: word) else {
        throw .usage(
          "'--allow' takes \(AssistantAction.list), not '\(word)'", command: name)
      }
      allowed.insert(action)
    }
    let daemon = ["--program", "--socket"].flatMap { option in
      arguments[option].map { [option, $0] } ?? []
    }
    let chosen = arguments.daemon.map { ["--program", $0] } ?? []
    let timeout = arguments["--timeout"].map { ["--timeout", $0] } ?? []
    _ = try arguments.seconds("--timeout")
    var server = AssistantServer(
      tools: AssistantTools(allowed: allowed, daemon: daemon + chosen, timeout: timeout))
    while let line = readLine(strippingNewline: true) {
      guard let answer = server.answer(to: line) else { continue }
      console.print(document: answer)
      try console.checkOutput()
    }
    return .success
  }
}

/// The actions that an assistant may do only if its user allows them.
enum AssistantAction: String, CaseIterable {
  case apply, revert, restore, shadow, expressions

  static var list: String {
    let words = allCases.map(\.rawValue)
    return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }
}
