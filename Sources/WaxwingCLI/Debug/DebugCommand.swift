// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem
import WaxwingToolKit

/// `waxwing debug`: lets an editor stop calls of a patch.
struct DebugCommand: Command {
  let name = "debug"
  let summary = "serves an editor's debugger: breakpoints, steps and values in a live patch"
  let usage = ["[PATCH [PROGRAM]] [--program NAME | --socket PATH] [--limit TIME] [--timeout TIME]"]
  let arguments = [
    Argument("PATCH", "the patch, if the editor's `attach` names none", .livePatch), .daemon,
  ]
  let options =
    [
      Option(
        "--limit", "TIME",
        "how long a call stops at most, before it goes on by itself (default 30s)")
    ] + Option.daemon
  let notes = [
    """
    An editor starts this command, and speaks the Debug Adapter Protocol with it on standard input and
    output; docs/debugging.md has the settings for VS Code, Neovim and Emacs. Only the call that stops
    waits; other calls of the daemon go on. The call goes on when the editor says so, after the limit,
    when the debugger ends in any way, and when the patch is reverted or the program restored.
    """,
    """
    A debugger sees and changes the program's values: the daemon asks for the role own, and records who
    was attached in its audit log.
    """,
  ]
  let examples = ["waxwing debug", "waxwing debug overdraft --program bankd --limit 2m"]
  let argumentCount = 0...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let defaults = DebugAdapter.Defaults(
      program: arguments["--program"] ?? arguments.daemon, socket: arguments["--socket"],
      patch: arguments.positional.first, limit: try arguments.time("--limit"),
      timeout: try arguments.seconds("--timeout"))
    Interruption.catchSignals()
    signal(SIGPIPE, SIG_IGN)
    let adapter = DebugAdapter(defaults) { message in
      // If nobody reads it any more, nothing comes from there either.
      try? SystemCall.writeAll(DebugFrameEncoder.frame(message)[...], to: STDOUT_FILENO)
    }
    var decoder = DebugFrameDecoder()
    while !adapter.isOver, !Interruption.hasCome {
      guard try receive(into: &decoder, adapter) else { break }
      adapter.poll()
    }
    return .success
  }

  /// Seconds between two looks at what has happened in the daemon.
  private static let pause = 0.05

  /// Takes what the editor has sent meanwhile.
  /// - Returns: False: it sends nothing any more.
  private func receive(
    into decoder: inout DebugFrameDecoder, _ adapter: DebugAdapter
  ) throws(CommandError) -> Bool {
    let end = Deadline.after(seconds: Self.pause)
    guard SystemCall.wait(for: Int32(POLLIN), on: STDIN_FILENO, until: end) != nil else {
      return true
    }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    switch SystemCall.retrying({ unsafe read(STDIN_FILENO, &buffer, buffer.count) }) {
    case .success(0): return false
    case .success(let count): decoder.append(buffer[..<count])
    case .failure(let error): return error.wouldBlock
    }
    do throws(DebugFrameDecoder.Failure) {
      while !adapter.isOver, let message = try decoder.next() { adapter.handle(message) }
    } catch {
      throw .usage(
        "standard input does not speak the Debug Adapter Protocol: \(error.message)", command: name,
        remedy: "let an editor start this command: see docs/debugging.md")
    }
    return true
  }
}
