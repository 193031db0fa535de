// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingCore
import WaxwingDeclarations
import WaxwingScripting
import WaxwingSystem

/// Patches that are live for one client. They collect data that the client asks for from time to
/// time, and end by themselves when it asks no more. They are patches in every respect: they are
/// listed, recorded, limited and restored.
final class Watches: Sendable {
  private struct Watch {
    let session: Session
    /// The runtime of the patch; nil if it has ended.
    weak var runtime: ScriptRuntime?
    /// The seconds without a request after which the watch ends.
    let patience: Double
    var asked: Deadline
  }

  private let engine: Engine
  private let patches: PatchOperations
  private let timers: Timers
  private let watches = Mutex<[String: Watch]>([:])

  init(_ engine: Engine, _ patches: PatchOperations, _ timers: Timers) {
    self.engine = engine
    self.patches = patches
    self.timers = timers
  }

  /// The longest patience that a client may ask for, in seconds.
  private static let mostPatience = 86_400.0

  /// Prepares the first watch. A watch that nothing would end must not begin.
  func prepare() throws(WaxwingError) {
    do throws(ThreadError) { try timers.start() } catch {
      throw WaxwingError(.unavailable, error.message, remedy: error.remedy)
    }
  }

  /// Lets a live patch end when no request has come for this number of seconds.
  func add(_ session: PatchSession, patience: Double) {
    watches.withLock {
      $0[session.name] = Watch(
        session: session.handle, runtime: session.runtime,
        patience: min(max(patience, 0.1), Self.mostPatience), asked: .now)
    }
    check(session.name, after: patience)
  }

  /// Seconds since the client has asked; nil: there is no such patch.
  func silence(of name: String) -> Double? { watches.withLock { $0[name]?.asked.secondsAgo } }

  /// The client has asked, by whatever way.
  /// - Returns: Whether the patch is there.
  func touch(_ name: String) -> Bool { touched(name) != nil }

  private func touched(_ name: String) -> Watch? {
    let watch = watches.withLock { watches in
      watches[name]?.asked = .now
      return watches[name]
    }
    return watch.flatMap { isLive($0) ? $0 : nil }
  }

  /// The answer of a patch to a question.
  /// - Parameter read: Reads the answer.
  /// - Throws: `WaxwingError` with the code `notFound` if it has ended.
  func ask<Answer: Sendable>(
    _ name: String, _ question: ScriptQuestion, _ arguments: [ScriptArgument] = [],
    timeoutSeconds: Double = 5,
    _ read: @escaping @Sendable (ScriptTable) throws -> Answer
  ) throws(WaxwingError) -> Answer {
    guard let runtime = touched(name)?.runtime else { throw Self.ended(name) }
    let answer = Monitor<Result<Answer, any Error>?>(nil)
    runtime.questions.ask(question, arguments) { reply in
      let result = Result { try reply.read(read) }
      answer.withLock { $0 = result }
    }
    switch answer.wait(until: .after(seconds: timeoutSeconds), { $0 }) {
    case .success(let answer): return answer
    case .failure(let refusal as ScriptRefusal): throw WaxwingError(.refused, refusal.reason)
    case .failure(let error): throw malformed(name, question, "\(error)")
    case nil:
      throw WaxwingError(
        .stalled, "\(name) was asked, and did not answer within \(timeoutSeconds) seconds",
        remedy: "try again, or look at the patch's log")
    }
  }

  /// The engine's own scripts and what reads their answers do not agree.
  private func malformed(
    _ name: String, _ question: ScriptQuestion, _ problem: String
  ) -> WaxwingError {
    let message =
      "\(name) answers `\(question.rawValue)` with what cannot be read: \(problem)"
    engine.log.write(.error, "answer.malformed", message, [("patch", name)])
    return WaxwingError(
      .unavailable, message, remedy: "this is a mistake of Waxwing's own: report it")
  }

  /// - Throws: `WaxwingError` if properties that can change are asked for, and the policy hides them.
  static func demandMayShow(_ showsFields: Bool?) throws(WaxwingError) {
    guard showsFields == true, let refusal = FieldVisibility.refusal else { return }
    throw WaxwingError(
      .refused, "\(refusal), so --fields is not allowed here",
      remedy: "leave out --fields; \(FieldVisibility.remedy)")
  }

  static func ended(_ name: String) -> WaxwingError {
    WaxwingError(
      .notFound, "\(name) has ended: it was reverted, or all patches were restored",
      remedy: "begin again")
  }

  /// Ends the patch if no request has come for long enough. If not, looks again when that may be
  /// the case.
  private func check(_ name: String, after seconds: Double) {
    timers.run(after: seconds) { [self] in
      let watch = watches.withLock { $0[name] }
      guard let watch, isLive(watch) else { return watches.withLock { $0[name] = nil } }
      let left = watch.patience - watch.asked.secondsAgo
      guard left <= 0 else { return check(name, after: max(left, 0.01)) }
      watches.withLock { $0[name] = nil }
      _ = try? patches.end(watch.session, waitAtMost: .seconds(5))
    }
  }

  private func isLive(_ watch: Watch) -> Bool {
    engine.registry.isLive(watch.session.number)
  }
}
