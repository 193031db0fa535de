// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Glibc
import WaxwingControl
internal import WaxwingLua
internal import WaxwingScripting
import WaxwingToolKit

/// `waxwing shell-program`: the process in which a shell's code runs. The shell starts it, and starts
/// another one when it has ended.
struct ShellProgramCommand: Command {
  let name = "shell-program"
  let summary = "runs what is typed into the shell of `waxwing run`, which starts it"
  let usage = ["[-e CODE | SCRIPT] [ARGUMENT…]"]
  let arguments = [
    Argument("SCRIPT", "what runs first", .patchFile),
    Argument("ARGUMENT", "passed to the script", .file),
  ]
  let options = [Option("-e", "CODE", "run this instead of a file")]
  let notes = ["It is of no use by itself: `waxwing run` starts it with a socket to speak through."]
  let examples = ["waxwing run"]
  let argumentCount = 0...Int.max
  let passesArgumentsOn = true

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    guard wax_process_trap_watch(ProgramDescriptor.trap, ProgramDescriptor.channel) else {
      throw .usage("'\(name)' runs inside of a shell only", remedy: "type `waxwing run`")
    }
    for descriptor in [ProgramDescriptor.channel, ProgramDescriptor.trap] {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    wax_process_read_unbuffered()
    wax_process_write_lines()
    Self.leaveInterruptsToShell()
    return try ScriptRunning.serve(
      try RunScript(arguments), ProgramChannel(ProgramDescriptor.channel), console)
  }

  /// Leaves Ctrl-C to the shell, which ends code that is not Lua. This installs a handler, because
  /// programs that are started from here would inherit an ignored signal.
  private static func leaveInterruptsToShell() {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    // The shell's question where this process is has to find it there, not in this handler.
    unsafe sigaddset(&action.sa_mask, SIGQUIT)
    unsafe sigaction(SIGINT, &action, nil)
  }
}

/// Runs what a shell sends.
struct ShellProgram {
  private let console: ScriptConsole
  private var channel: ProgramChannel
  /// The globals that every script has.
  private let initialGlobals: Set<String>

  init(_ console: ScriptConsole, _ channel: ProgramChannel) {
    self.console = console
    self.channel = channel
    initialGlobals = Set(console.globals())
  }

  /// Serves the shell until it has gone.
  mutating func serve() {
    // The shell also goes when it knows of a trap.
    defer { wax_process_trap_wait() }
    guard answer(0, .pong) else { return }
    while true {
      if let request = channel.next(ProgramRequest.self) {
        guard answer(request.number, reply(to: request.request)) else { return }
      } else if !channel.receive() {
        return
      }
    }
  }

  /// - Returns: Whether the shell is there.
  private func answer(_ number: Int, _ reply: ShellReply) -> Bool {
    // What was printed is seen before the answer.
    fflush(nil)
    let globals = console.globals().filter { !initialGlobals.contains($0) }
    return channel.send(ProgramReply(number: number, reply: reply, globals: globals))
  }

  private func reply(to request: ShellRequest) -> ShellReply {
    switch request {
    case .evaluate(_, let text):
      wax_process_trap_forget_message()
      return evaluate(text)
    case .complete(_, let text): return .words(console.completions(of: text))
    case .open, .ping, .interrupt: return .pong
    }
  }

  private func evaluate(_ text: String) -> ShellReply {
    switch console.evaluate(text, name: "shell") {
    case .done: .done(output: "")
    case .incomplete: .incomplete
    case .failed(let failure):
      .failed(output: "", message: failure.message, frames: failure.frames.map(\.description))
    }
  }
}
