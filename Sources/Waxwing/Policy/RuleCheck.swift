// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingCore
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection
import WaxwingSystem

/// Rules that name what the program does not have: they protect nothing, and nobody would notice.
final class RuleCheck: Sendable {
  private struct Answer {
    let rules: [SelectorRules]
    /// Functions that there were; a library that is loaded adds some.
    let functions: Int
    let sentences: [String]
  }

  /// Rules for which names like theirs are looked for.
  private static let mostSuggestions = 10

  private let engine: Engine
  /// The last answer: every `status` asks, and rules rarely change.
  private let answer = Mutex<Answer?>(nil)

  init(_ engine: Engine) {
    self.engine = engine
  }

  /// The rules of the operator's file and of the program's policy by which no function is meant, a
  /// sentence each. Reads the program's symbols if there are any rules.
  func unmatched() throws -> [String] {
    guard hasRules else { return [] }
    return try engine.operation("reading the rules") { try unmatchedInOperation() }
  }

  /// The same by the thread that is in an operation.
  func unmatchedInOperation() throws -> [String] {
    guard hasRules else { return [] }
    let points = try engine.program.current().patchPoints
    let rules = [engine.host.contents.rules, try engine.policy.protection()]
    let known = answer.withLock(\.self)
    if let known, known.rules == rules, known.functions == points.count { return known.sentences }
    let selectors = points.map(\.declaration.qualifiedName)
    let sentences = rules.flatMap { $0.unmatched(in: selectors) }.enumerated().map {
      index, unmatched in
      let near =
        index < Self.mostSuggestions
        ? Self.suggestion(for: unmatched.pattern, in: selectors).map { "; \($0)" } : nil
      return "`\(unmatched.rule)` names no function of this program\(near ?? "")"
    }
    answer.withLock { $0 = Answer(rules: rules, functions: points.count, sentences: sentences) }
    return sentences
  }

  private var hasRules: Bool {
    !engine.host.contents.rules.isEmpty || !engine.policy.protectedSelectors.isEmpty
  }

  /// Says at the start what the rules do not mean, on a thread of its own: nobody waits for the program's
  /// symbols to be read.
  func reportUnmatched() {
    guard hasRules else { return }
    try? EngineThread.start(name: "waxwing-rules", stackSize: 8 << 20) {
      for sentence in (try? self.unmatched()) ?? [] {
        self.engine.log.write(.warning, "config.unmatched", sentence)
      }
    }
  }

  /// Functions and types whose names are like it.
  private static func suggestion(for pattern: String, in selectors: [String]) -> String? {
    let names = selectors.map { String($0.prefix { $0 != "(" }) }
    let owners = names.compactMap { name in
      name.lastIndex(of: ".").map { String(name[..<$0]) }
    }
    return NearestNames.question(for: pattern, in: Set(names).union(owners).sorted())
  }
}
