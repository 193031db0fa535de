// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingCore
import WaxwingDeclarations
import WaxwingSystem

/// Patches that are live for one client: they collect what it asks for now and then, and end by themselves
/// when it does not ask any more. Each is a patch in all that a patch is: it is listed, recorded, limited and
/// restored.
final class Watches: Sendable {
  private struct Watch {
    let session: Session
    /// Seconds after which it ends that nobody asks.
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

  /// In seconds: how long one lasts at most that nobody asks.
  private static let mostPatience = 86_400.0

  /// Before the first: what nothing would end is not begun.
  func prepare() throws(WaxwingError) {
    do throws(ThreadError) { try timers.start() } catch {
      throw WaxwingError(.unavailable, error.message, remedy: error.remedy)
    }
  }

  /// Lets a patch that is live end when nobody asks for so many seconds.
  func add(_ session: Session, patience: Double) {
    watches.withLock {
      $0[session.name] = Watch(
        session: session, patience: min(max(patience, 0.1), Self.mostPatience), asked: .now)
    }
    check(session.name, after: patience)
  }

  /// Seconds since the client has asked; nil: there is no such patch.
  func silence(of name: String) -> Double? { watches.withLock { $0[name]?.asked.secondsAgo } }

  /// The client has asked, by whatever way.
  /// - Returns: Whether the patch is there.
  func touch(_ name: String) -> Bool {
    let watch = watches.withLock { watches in
      watches[name]?.asked = .now
      return watches[name]
    }
    return watch.map(isLive) ?? false
  }

  /// What a patch says to a message.
  /// - Throws: `WaxwingError` with the code `notFound` if it has ended.
  func ask(
    _ name: String, _ text: String = "", timeoutSeconds: Double = 5
  ) throws(WaxwingError) -> String {
    guard touch(name) else { throw Self.ended(name) }
    do throws(WaxwingError) {
      return try engine.methods.send(text, to: name, waitSeconds: 0, timeoutSeconds: timeoutSeconds)
    } catch {
      if error.code == .notFound { throw Self.ended(name) }
      let reason = error.message.split(separator: "\(name) did not reply: ", maxSplits: 1).last
      throw WaxwingError(error.code, reason.map(String.init) ?? error.message, remedy: error.remedy)
    }
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

  /// Ends the patch if nobody has asked for so long; else looks again when that may be.
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
