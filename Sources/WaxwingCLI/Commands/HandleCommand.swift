// SPDX-License-Identifier: MIT

import Foundation
import WaxwingControl
import WaxwingToolKit

/// `waxwing handle`: takes the messages that patches send to a client, and replies.
struct HandleCommand: Command {
  let name = "handle"
  let summary = "takes the messages that patches send to a name, and replies"
  let usage = [
    "[--count N] [--idle TIME] [--program NAME | --socket PATH] [--json] NAME [COMMAND [ARGUMENT…]]"
  ]
  let arguments = [
    Argument("NAME", "what the patch gives to `bridge.call` or `bridge.send`"),
    Argument("COMMAND", "runs for each message; without it, messages are printed", .commandLine),
  ]
  let options =
    [
      Option("--count", "N", "end after so many messages"),
      Option("--idle", "TIME", "end if no message comes for so long"),
    ] + Option.daemon + [.jsonLines]
  let notes = [
    """
    COMMAND reads the message as JSON from its standard input, and prints the reply as JSON. If it
    prints nothing, the reply is null. If it fails, or prints anything else, the patch gets a
    failure instead of a reply. WAXWING_PATCH in its environment names the patch. Options of waxwing
    come before NAME.
    """,
    """
    A message waits in the daemon until a client takes it, or until the patch gives up. One client
    takes it. A message is lost if the daemon ends, or if a client ends before it has replied. In
    the second case the patch waits until its own timeout.
    """,
    """
    The exit code is 5 if --idle has ended it, and 7 if the daemon has gone.
    """,
  ]
  let examples = [
    "waxwing handle approve ./approve.sh", "waxwing handle --count 1 --idle 60 suspicious",
  ]
  let argumentCount = 1...Int.max
  let passesArgumentsOn = true

  /// Seconds: for how long the daemon keeps one request.
  private static let longestRequest = 20.0

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let name = arguments.positional[0]
    let command = Array(arguments.positional.dropFirst())
    let idle = try arguments.seconds("--idle")
    let most = try arguments.count("--count")
    let path = try DaemonLocator(arguments).path()
    var handled = 0
    var end = idle.map { ContinuousClock.now + .seconds($0) }
    while most.map({ handled < $0 }) ?? true {
      let left = end.map { ContinuousClock.now.duration(to: $0) / .seconds(1) } ?? .infinity
      if left <= 0 {
        throw CommandError(
          .stalled, "no message came for '\(name)' within \(idle ?? 0) seconds",
          remedy: "check with `waxwing list` that a patch is live that sends some")
      }
      let seconds = min(Self.longestRequest, left)
      let daemon = try Daemon(at: path, arguments, waitSeconds: seconds)
      let message = try daemon.send(ReceiveRequest(name: name, waitSeconds: seconds))
      guard let number = message.number, let text = message.text else { continue }
      handled += 1
      end = idle.map { ContinuousClock.now + .seconds($0) }
      try reply(
        to: number, with: answer(to: text, of: message.patch ?? "", command, daemon.info, console),
        path, arguments)
    }
    return .success
  }

  private func reply(
    to number: Int, with answer: Answer, _ path: String, _ arguments: ParsedArguments
  ) throws(CommandError) {
    // The command may have taken long: this has a time of its own.
    let daemon = try Daemon(at: path, arguments)
    let request =
      switch answer {
      case .text(let text): ReplyRequest(number: number, text: text, failure: nil)
      case .failure(let reason): ReplyRequest(number: number, text: nil, failure: reason)
      }
    _ = try daemon.send(request)
  }

  /// A message, as `--json` prints it.
  private struct MessageDocument: Encodable {
    let patch: String
    let message: JSONValue
  }

  private enum Answer {
    case text(String)
    case failure(String)
  }

  private func answer(
    to text: String, of patch: String, _ command: [String], _ daemon: DaemonInfo,
    _ console: Console
  ) -> Answer {
    if command.isEmpty {
      if console.reportsJSON {
        console.print(
          line: MessageDocument(patch: patch, message: JSONValue(parsing: text)), of: daemon)
      } else {
        console.print(text)
      }
      return .text("null")
    }
    do throws(FilteringError) {
      let output = try Filter(command, environment: ["WAXWING_PATCH": patch]).run(Data(text.utf8))
      guard let written = output.firstIndex(where: { !$0.isJSONSpace }) else {
        return .text("null")
      }
      guard
        (try? JSONSerialization.jsonObject(with: output, options: .fragmentsAllowed)) != nil
      else { throw FilteringError(message: "\(command[0]) printed something that is not JSON") }
      return .text(String(decoding: output[written...], as: UTF8.self).trimmingSuffix())
    } catch {
      console.warn(error.message)
      return .failure(error.message)
    }
  }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}

extension String {
  /// The string without line breaks and spaces at its end.
  fileprivate func trimmingSuffix() -> String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
