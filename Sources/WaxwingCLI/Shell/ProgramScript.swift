// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Glibc
import WaxwingControl
import WaxwingToolKit

/// The script of `waxwing run`, in a process of its own: when that ends, the shell goes on with another.
///
/// Unchecked: only the main thread uses it, which completes words while it reads a line.
final class ProgramScript: ShellScript, @unchecked Sendable {
  private var process: ShellProcess?
  private var lastNumber = 0
  /// The variables of the process.
  private var globals: [String] = []

  /// The time that code has to stop after Ctrl-C.
  private static let patience: Duration = .seconds(2)

  private enum Outcome {
    case reply(ShellReply)
    case ended(ProgramEnd)
  }

  /// Starts a process, and waits until the script has run.
  init(_ script: RunScript, _ console: Console) throws(CommandError) {
    // What the shell has not read of its input is for the process.
    wax_process_read_unbuffered()
    guard let end = try start(script.words) else { return }
    if case .exited(let code) = end.cause { exit(code) }
    console.reportLines([end.text] + end.frames.map { "  \($0)" })
    if script.words.isEmpty {
      throw CommandError(.failure, "the shell's program does not start")
    }
    if let end = try start([]) { throw CommandError(.failure, end.text) }
  }

  var greeting: String {
    "Waxwing \(ControlProtocol.engineVersion), Lua 5.4. help() explains; Ctrl-D or exit() ends."
  }

  /// - Returns: How the process has ended before the first line; nil: it is there.
  private func start(_ words: [String]) throws(CommandError) -> ProgramEnd? {
    process = try ShellProcess(words)
    switch answer(to: 0) {
    case .reply: return nil
    case .ended(let end): return end
    }
  }

  func evaluate(_ text: String) -> ShellEvaluation {
    if hasEnded { return goOn(after: end(), "what was typed has not run; ") }
    switch ask(.evaluate(shell: "", text: text)) {
    case .reply(.incomplete): return .incomplete
    case .reply(.failed(let output, let message, let frames)):
      return .failed(output: output, message: message, frames: frames)
    case .reply: return .done(output: "")
    case .ended(let end): return goOn(after: end, "")
    }
  }

  func completions(of text: String) -> [String] {
    guard !hasEnded, case .reply(.words(let words)) = ask(.complete(shell: "", text: text)) else {
      return []
    }
    return words
  }

  /// Lets the process end.
  func end() {
    guard process != nil else { return }
    shutdown(descriptor, Int32(SHUT_WR))
    if case .ended(let end) = answer(to: -1), case .exited = end.cause { return }
  }

  // MARK: The process

  private var descriptor: Int32 { process?.channel.descriptor ?? -1 }

  /// Whether the process has ended by itself, which has not been reported yet.
  private var hasEnded: Bool {
    guard process != nil else { return true }
    while process?.wait(milliseconds: 0) == true {
      if process?.channel.receive() != true { return true }
    }
    return false
  }

  private func end() -> ProgramEnd {
    guard let process = process.take() else {
      return ProgramEnd(cause: .exited(1), function: nil, frames: [], message: nil)
    }
    return process.end()
  }

  private func ask(_ request: ShellRequest) -> Outcome {
    lastNumber += 1
    // If it is not there any more, the answer says so.
    _ = process?.channel.send(ProgramRequest(number: lastNumber, request: request))
    return answer(to: lastNumber)
  }

  /// Waits for it. With Ctrl-C the process is asked to stop, and ended if it does not.
  private func answer(to number: Int) -> Outcome {
    let interrupt = ShellInterrupt()
    var deadline: ContinuousClock.Instant?
    while true {
      while let reply = process?.channel.next(ProgramReply.self) {
        if reply.number != number { continue }
        globals = reply.globals
        return .reply(reply.reply)
      }
      if interrupt.count > 0, deadline == nil { deadline = .now + Self.patience }
      if interrupt.count > 1 || deadline.map({ $0 <= .now }) == true, let process = process.take() {
        return .ended(process.stop())
      }
      // The terminal's own signal is lost on a process that has not begun with the code.
      if deadline != nil { process?.interrupt() }
      guard process?.wait(milliseconds: 100) == true else { continue }
      if process?.channel.receive() != true { return .ended(end()) }
    }
  }

  /// A fresh process in place of one that has ended, and what the user has to know.
  private func goOn(after end: ProgramEnd, _ loss: String) -> ShellEvaluation {
    if case .exited(let code) = end.cause {
      fflush(nil)
      exit(code)
    }
    let gone = globals
    globals = []
    do throws(CommandError) {
      if let again = try start([]) {
        return .over(CommandError(.failure, "a fresh program does not start: \(again.text)"))
      }
    } catch {
      return .over(error)
    }
    let rest = loss + "a fresh program has taken its place" + Self.text(ofGone: gone)
    return .failed(output: "", message: end.text, frames: end.frames + [rest])
  }

  private static func text(ofGone names: [String]) -> String {
    if names.isEmpty { return "" }
    let most = 20
    let more = names.count > most ? " and \(names.count - most) more" : ""
    return "; gone: " + names.prefix(most).joined(separator: ", ") + more
  }
}
