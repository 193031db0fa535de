// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import WaxwingControl
import WaxwingToolKit

/// A script inside a daemon.
struct AttachedScript: ShellScript {
  private let path: String
  private let arguments: ParsedArguments
  private let name: String
  private let title: String

  /// The pause between two pings in seconds. The daemon ends a shell of which it has heard nothing
  /// for 10 s.
  private static let pause = 2.5

  /// Opens a shell in the daemon.
  init(at path: String, _ arguments: ParsedArguments) throws(CommandError) {
    let daemon = try Daemon(at: path, arguments, waitSeconds: 30)
    guard case .opened(let name) = try daemon.send(ShellRequest.open) else {
      throw CommandError(Daemon.mismatch("shell"))
    }
    self.path = path
    self.arguments = arguments
    self.name = name
    title = daemon.title
    ping()
  }

  let leavesAtSecondInterrupt = true

  var greeting: String {
    "Inside \(title), as \(name). help() explains; Ctrl-D or exit ends, and its overrides with it."
  }

  /// Pings the daemon as long as this process lives.
  private func ping() {
    Thread.detachNewThread { [self] in
      while (try? ask(.ping(shell: name))) != nil { Thread.sleep(forTimeInterval: Self.pause) }
    }
  }

  /// The time in seconds that a call of a script's piece may take.
  private static let waitSeconds = 300.0

  private func ask(_ request: ShellRequest) throws(CommandError) -> ShellReply {
    let daemon = try Daemon(at: path, arguments, waitSeconds: Self.waitSeconds)
    return try daemon.send(request)
  }

  /// The time in seconds for which an interrupted piece is waited for.
  private static let interruptedWait = 2.0

  /// Runs a piece. Ctrl-C stops it; if it does not stop soon, or at a second Ctrl-C, the shell goes on without it.
  func evaluate(_ text: String) -> ShellEvaluation {
    let interrupt = ShellInterrupt()
    let piece = RunningPiece()
    Thread.detachNewThread { [self] in piece.end(run(text)) }
    var asked: Date?
    while true {
      if let evaluation = piece.evaluation(within: 0.05) { return evaluation }
      if interrupt.count > 0, asked == nil {
        asked = Date()
        Thread.detachNewThread { [self] in _ = try? ask(.interrupt(shell: name)) }
      }
      guard let asked else { continue }
      if interrupt.count > 1 || -asked.timeIntervalSinceNow > Self.interruptedWait {
        return .failed(
          output: "",
          message:
            "interrupted: the Swift code that the piece calls cannot be stopped, and goes on",
          frames: [])
      }
    }
  }

  private func run(_ text: String) -> ShellEvaluation {
    do throws(CommandError) {
      switch try ask(.evaluate(shell: name, text: text)) {
      case .done(let output): return .done(output: output)
      case .incomplete: return .incomplete
      case .failed(let output, let message, let frames):
        return .failed(output: output, message: message, frames: frames)
      case .opened, .words, .pong: return .over(CommandError(Daemon.mismatch("shell")))
      }
    } catch {
      return .over(error)
    }
  }

  func completions(of text: String) -> [String] {
    guard case .words(let words)? = try? ask(.complete(shell: name, text: text)) else { return [] }
    return words
  }

  /// Ends the shell, and its overrides with it.
  func end() throws(CommandError) {
    let daemon = try Daemon(at: path, arguments, waitSeconds: 10)
    _ = try daemon.send(RevertRequest(name: name, waitSeconds: 10))
  }
}

/// A piece that runs in the daemon.
private final class RunningPiece: Sendable {
  private let result = Mutex<ShellEvaluation?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  func end(_ evaluation: ShellEvaluation) {
    result.withLock { $0 = evaluation }
    ended.signal()
  }

  /// The outcome of the piece; nil if it still runs after this number of seconds.
  func evaluation(within seconds: Double) -> ShellEvaluation? {
    _ = ended.wait(timeout: .now() + seconds)
    return result.withLock { $0 }
  }
}
