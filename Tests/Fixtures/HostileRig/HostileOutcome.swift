// SPDX-License-Identifier: MIT

import Bank
import Foundation
import Synchronization
import Waxwing

/// What came of a hostile override.
public struct HostileOutcome: Sendable {
  /// A call has not returned.
  public struct Hang: Error, CustomStringConvertible {
    public let description: String
  }

  /// What each of the calls was answered.
  public var answers: [String] = []
  /// The last error of the override, if it had one.
  public var faults: [String] = []
  /// Why the patch was refused.
  public var refusal: String?

  /// Applies `body` as that of an override, and calls it as often on a thread with so much stack.
  public static func of(
    _ body: String, head: String = "", calls: Int = 1, stack: Int = 1 << 20
  ) throws -> HostileOutcome {
    let text = "\(head)\nlocal C = class 'Bank.Cage'\nfunction C:open(key)\n\(body)\nend\n"
    var outcome = HostileOutcome()
    WaxwingEngine.setLogHandler { _ in }
    let session: Session
    do {
      session = try WaxwingEngine.start(text: text, name: "hostile")
    } catch let error as WaxwingError {
      outcome.refusal = error.message
      return outcome
    }
    outcome.answers = try answers(calls, stack: stack)
    outcome.faults = try WaxwingEngine.list().filter { $0.name == "hostile" }.flatMap(\.overrides)
      .compactMap(\.lastError).map(\.message)
    try WaxwingEngine.end(session)
    return outcome
  }

  private static func answers(_ calls: Int, stack: Int) throws -> [String] {
    let answers = Mutex<[String]>([])
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      let cage = Cage()
      for _ in 0..<calls {
        let answer = cage.open("a key")
        answers.withLock { $0.append(answer) }
      }
      done.signal()
    }
    thread.stackSize = stack
    thread.start()
    guard done.wait(timeout: .now() + 600) == .success else {
      throw Hang(description: "a call has not returned for ten minutes")
    }
    return answers.withLock { $0 }
  }
}
