// SPDX-License-Identifier: MIT

import WaxwingCore
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection
import WaxwingSystem

/// Finds rules for functions that the program does not have. They protect nothing, which would
/// otherwise go unnoticed.
final class RuleCheck: Sendable {
  private struct Answer {
    let rules: [SelectorRules]
    /// Functions that there were; a library that is loaded adds some.
    let functions: Int
    let sentences: [String]
  }

  /// Rules for which names like theirs are looked for.
  private static let mostSuggestions = 10

  private struct State: Sendable {
    /// The last answer: every `status` asks, and rules rarely change.
    var answer: Answer?
    /// While a thread finds out for `status` what the answer is now: until when that is waited for.
    var looksUntil: Deadline?
  }

  private let engine: Engine
  private let state = Monitor(State())

  init(_ engine: Engine) {
    self.engine = engine
  }

  /// The rules of the operator's file and of the program's policy by which no function is meant, a
  /// sentence each. Reads the program's symbols if there are any rules, and looks at all its functions: not for a
  /// thread that others wait for.
  func unmatched() throws -> [String] {
    guard hasRules else { return [] }
    let program = try engine.operation("reading the rules") { try engine.program.current() }
    let points = program.patchPoints
    let rules = try rules
    let known = state.withLock(\.answer)
    if let known, known.rules == rules, known.functions == points.count { return known.sentences }
    let selectors = points.map(\.declaration.qualifiedName)
    let sentences = Self.unmatched(rules, in: selectors, program).enumerated().map {
      index, unmatched in
      let near =
        index < Self.mostSuggestions
        ? Self.suggestion(for: unmatched.pattern, in: selectors).map { "; \($0)" } : nil
      return "`\(unmatched.rule)` names no function of this program\(near ?? "")"
    }
    state.withLock {
      $0.answer = Answer(rules: rules, functions: points.count, sentences: sentences)
    }
    return sentences
  }

  /// The names of closures, which are read only if a rule means no other function.
  private static func unmatched(
    _ rules: [SelectorRules], in selectors: [String], _ program: RunningProgram
  ) -> [(rule: String, pattern: String)] {
    let unmatched = rules.flatMap { $0.unmatched(in: selectors) }
    if unmatched.isEmpty { return [] }
    let closures = program.closures.map(\.declaration.qualifiedName)
    return rules.flatMap { $0.unmatched(in: selectors + closures) }
  }

  /// The rules that match nothing, for `status`: another thread looks, and all callers wait for it for a second at
  /// most. If it takes longer, they get the last answer.
  func unmatchedSoon() -> [String] {
    guard hasRules, let rules = try? rules else { return [] }
    let (isFirst, end) = state.withLock { state in
      let isFirst = state.looksUntil == nil
      let end = state.looksUntil ?? .after(seconds: Self.patience)
      state.looksUntil = end
      return (isFirst, end)
    }
    if isFirst { look() }
    _ = state.wait(until: end) { $0.looksUntil == nil ? true : nil }
    return state.withLock(\.answer).flatMap { $0.rules == rules ? $0.sentences : nil } ?? []
  }

  /// The seconds for which a rule may be evaluated.
  private static let patience = 1.0

  private func look() {
    do throws(ThreadError) {
      try Self.thread {
        _ = try? self.unmatched()
        self.state.withLock { $0.looksUntil = nil }
      }
    } catch {
      state.withLock { $0.looksUntil = nil }
    }
  }

  private static func thread(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    try EngineThread.start(name: "waxwing-rules", stackSize: 8 << 20, body: body)
  }

  private var rules: [SelectorRules] {
    get throws { [engine.host.contents.rules, try engine.policy.protection()] }
  }

  private var hasRules: Bool {
    !engine.host.contents.rules.isEmpty || !engine.policy.protectedSelectors.isEmpty
  }

  /// Reports such rules at the start, on a thread of its own, so that no call waits until the
  /// program's symbols are read.
  func reportUnmatched() {
    guard hasRules else { return }
    try? Self.thread {
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
