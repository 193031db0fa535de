// SPDX-License-Identifier: MIT

import Foundation
import WaxwingControl
import WaxwingToolKit

/// A script inside a daemon.
struct AttachedScript: ShellScript {
  private let path: String
  private let name: String
  private let title: String

  /// In seconds: the daemon ends a shell of which it has heard nothing for 10 s.
  private static let pause = 2.5

  /// Opens a shell.
  init(at path: String) throws(CommandError) {
    let daemon = try Daemon(at: path, ParsedArguments(), waitSeconds: 30)
    guard case .shell(.opened(let name)) = try daemon.send(.shell(.open)) else {
      throw CommandError(Daemon.mismatch("shell"))
    }
    self.path = path
    self.name = name
    title = daemon.title
    ping()
  }

  var greeting: String {
    "Inside \(title), as \(name). help() explains; Ctrl-D or exit ends, and its overrides with it."
  }

  /// For as long as this process lives.
  private func ping() {
    Thread.detachNewThread { [self] in
      while (try? ask(.ping(shell: name))) != nil { Thread.sleep(forTimeInterval: Self.pause) }
    }
  }

  /// As long as a call may take that a piece of a script makes.
  private static let waitSeconds = 300.0

  private func ask(_ request: ShellRequest) throws(CommandError) -> ShellReply {
    let daemon = try Daemon(at: path, ParsedArguments(), waitSeconds: Self.waitSeconds)
    guard case .shell(let reply) = try daemon.send(.shell(request)) else {
      throw CommandError(Daemon.mismatch("shell"))
    }
    return reply
  }

  func evaluate(_ text: String) -> ShellEvaluation {
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
    let daemon = try Daemon(at: path, ParsedArguments(), waitSeconds: 10)
    _ = try daemon.send(.revert(name: name, waitSeconds: 10))
  }
}
