// SPDX-License-Identifier: MIT

import EchoFixture
import Foundation
import SeededRandom
import Testing
import Waxwing

/// Some functions, overridden at once and called.
struct EchoRun {
  private static let rounds = 3
  private static let seed = TestSeed(1)

  /// All of them where they are optimized; every third in debug builds.
  static let cases: [EchoCase] = {
    if let only = ProcessInfo.processInfo.environment["WAXWING_ECHO_ONLY"] {
      return echoCases.filter { $0.name == only }
    }
    #if DEBUG
      return TestSeed.drawn.sample(of: echoCases, every: 3)
    #else
      return echoCases
    #endif
  }()

  private let cases: [EchoCase]
  private let patch: String

  init(_ cases: [EchoCase], _ override: (EchoCase) -> String) {
    self.cases = cases
    let owners = Dictionary(grouping: cases, by: \.owner)
    patch = owners.sorted { $0.key < $1.key }.map { owner, cases in
      (["do local H = \(owner)"] + cases.map(override) + ["end"]).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// - Throws: If the patch is refused.
  func run() throws {
    let session = try WaxwingEngine.start(text: patch, name: "echo")
    Self.callAll(cases, rounds: Self.rounds)
    for override in try WaxwingEngine.list().flatMap(\.overrides) {
      if let error = override.lastError {
        Issue.record("\(override.selector): \(error.message)")
      } else if override.calls < Self.rounds {
        Issue.record("\(override.selector): called \(override.calls) times only")
      }
    }
    let restoration = try WaxwingEngine.end(session)
    #expect(restoration.isComplete)
  }

  static func callAll(_ cases: [EchoCase], rounds: Int = 1) {
    for (index, echo) in cases.enumerated() {
      var dice = Dice(seed: seed.value &+ UInt64(index) << 32)
      for _ in 0..<rounds {
        guard let difference = echo.check(&dice) else { continue }
        Issue.record(
          """
          \(echo.signature)
          functions of seed \(echoSeed), values of \(seed)
          \(difference)
          """)
        break
      }
    }
  }

  /// Tries one function alone, and says what is wrong with it.
  static func report(_ echo: EchoCase, _ override: (EchoCase) -> String) {
    let alive = Tracked.alive
    do {
      try EchoRun([echo], override).run()
    } catch {
      Issue.record("\(echo.signature)\n\(error)")
    }
    if Tracked.alive != alive {
      Issue.record("\(echo.signature): \(Tracked.alive - alive) objects too many")
    }
  }
}
