// SPDX-License-Identifier: MIT

import Bank
import Foundation
import Synchronization
import Testing
import Waxwing

/// The patches in `Tests/Fixtures/Hostile`.
enum HostileScripts {
  static func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url(folder).path)
      .filter { $0.hasSuffix(".lua") }.sorted()
  }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: url(name), encoding: .utf8)
  }

  private static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/Hostile/\(name)").standardized
  }

  /// Too long to be files.
  static let bombs: [(name: String, text: String)] = [
    ("parentheses", "return " + many("(", 5000) + "1" + many(")", 5000)),
    ("tables", "return " + many("{", 5000) + many("}", 5000)),
    ("functions", "return " + many("(function() return ", 5000) + "1" + many(" end)()", 5000)),
    ("operators", "return " + many("not ", 50000) + "1"),
    ("operands", "local x = 'a' return x" + many("..x", 50000)),
    ("conditions", "local x if x then" + many(" elseif x == 1 then", 10000) + " end"),
    ("locals", (0..<300).map { "local a\($0)" }.joined(separator: "\n")),
    ("upvalues", Self.upvalues),
    ("labels", (0..<10000).map { "::l\($0)::" }.joined(separator: " ")),
    ("constants", "local t = {" + (0..<20000).map { "\($0).5," }.joined() + "} return #t"),
    ("escapes", "return '" + many("\\65", 50000) + "'"),
    ("digits", "return " + many("9", 60000) + ".0"),
    ("brackets", "return [" + many("=", 60000) + "[x]" + many("=", 60000) + "]"),
    ("line", "local x = 0 " + many("x = x + 1 ", 20000) + "return tostring(x)"),
    ("arguments", "return select('#'" + many(", 1", 10000) + ")"),
    ("strings", "return '" + many("x", 250_000) + "'"),
  ]

  private static let upvalues =
    (0..<190).map { "local a\($0)\n" }.joined() + "return function() return "
    + (0..<190).map { "a\($0)" }.joined(separator: ",") + many(" .. a0", 100) + " end"

  private static func many(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }
}

/// A patch that is called a thousand times a second on a thread of its own.
final class CanaryWatch: Sendable {
  private struct Record {
    var calls = 0
    var wrong = 0
    var longest: Duration = .zero
    var isOver = false
  }

  private let record = Mutex(Record())

  /// Runs `body` meanwhile, and expects every call to have been answered by the patch.
  static func during(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) throws {
    WaxwingEngine.setLogHandler { _ in }
    let session = try WaxwingEngine.start(
      text: "local C = class 'Bank.Canary'\nfunction C:sing(n) return n + 1 end", name: "canary")
    let watch = CanaryWatch()
    let thread = StartedThread { watch.run() }
    defer {
      watch.record.withLock { $0.isOver = true }
      #expect(thread.join(seconds: 60), sourceLocation: sourceLocation)
      let seen = watch.record.withLock { $0 }
      #expect(seen.calls > 0 && seen.wrong == 0, sourceLocation: sourceLocation)
      // Far more than any limit of a call: what it does not hold up for ever it may hold up a bit.
      #expect(seen.longest < .seconds(20), sourceLocation: sourceLocation)
      _ = try? WaxwingEngine.end(session)
    }
    while watch.record.withLock({ $0.calls }) == 0 { Thread.sleep(forTimeInterval: 0.001) }
    try body()
  }

  private func run() {
    let canary = Canary()
    let clock = ContinuousClock()
    while !record.withLock({ $0.isOver }) {
      let began = clock.now
      let answer = canary.sing(41)
      let time = clock.now - began
      record.withLock {
        $0.calls += 1
        if answer != 42 { $0.wrong += 1 }
        $0.longest = max($0.longest, time)
      }
      Thread.sleep(forTimeInterval: 0.001)
    }
  }
}

/// What came of a hostile override.
struct HostileOutcome {
  var answers: [String] = []
  var faults: [String] = []
  /// Why the patch was refused.
  var refusal: String?

  /// Applies `body` as that of an override, and calls it as often on a thread with so much stack.
  static func of(_ body: String, head: String = "", calls: Int = 1, stack: Int = 1 << 20) throws
    -> HostileOutcome
  {
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
    #expect(done.wait(timeout: .now() + 120) == .success)
    outcome.answers = answers.withLock { $0 }
    outcome.faults = patches().filter { $0.name == "hostile" }.flatMap(\.overrides)
      .compactMap(\.lastError).map(\.message)
    try WaxwingEngine.end(session)
    return outcome
  }
}
