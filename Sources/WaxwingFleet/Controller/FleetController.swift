// SPDX-License-Identifier: MIT

package import WaxwingControl

/// Moves rollouts on, stage by stage, and back when they do harm. Any number may run: one leads. All that it
/// knows is in the store.
package final class FleetController {
  /// The outcome of one look.
  package enum Round: Hashable, Sendable {
    /// Another controller leads.
    case follows
    /// This controller leads, and did these things.
    case led([String])
  }

  /// The longest pause between two looks that counts as watched time. In a longer pause nobody has
  /// watched.
  static let longestGap = 30_000

  private let backend: any FleetBackend
  private let keys: FleetKeys
  private let reader: FleetReader
  private let name: String
  private var lock: ControllerLock
  /// The time of the last look as leader, by the caller's clock.
  private var lastLook: Int?
  /// The defects of the last look, so that each is reported once.
  private var lastDefects: [String] = []
  /// The gates of the last hold, so that it is logged once.
  private var lastHold: [GateFinding.Gate] = []

  /// - Parameter name: Unique among the fleet's controllers.
  package init(
    backend: any FleetBackend, keys: FleetKeys, verifier: DocumentVerifier, name: String
  ) {
    self.backend = backend
    self.keys = keys
    self.name = name
    reader = FleetReader(backend: backend, keys: keys, verifier: verifier)
    lock = ControllerLock(backend: backend, key: keys.key(.controller), name: name)
  }

  /// Looks once, and does what is to be done.
  /// - Parameters:
  ///   - clock: Milliseconds of a clock that nobody sets.
  ///   - now: The time of day, for the log and for expiry.
  package func round(clock: Int, now: Timestamp = .now()) throws(FleetError) -> Round {
    guard try lock.hold() else {
      lastLook = nil
      return .follows
    }
    let gap = clock - (lastLook ?? clock)
    lastLook = clock
    let elapsed = (0...Self.longestGap).contains(gap) ? gap : 0
    let view = try reader.view()
    var done = try notices(view, now)
    let decision = ControllerDecision(view, elapsed: elapsed, now: now, name: name)
    for action in decision.actions {
      guard let words = try perform(action, view, now) else { break }
      done += words
    }
    return .led(done)
  }

  /// The problems of documents that concern this controller, once each, also for the history.
  private func notices(_ view: FleetView, _ now: Timestamp) throws(FleetError) -> [String] {
    var notices = view.defects.filter { !lastDefects.contains($0) }
    if let found = lock.found {
      notices.append(
        "\(keys.key(.controller)) is no controller's document, and was replaced: \(found)")
    }
    lastDefects = view.defects
    for notice in notices {
      try log.append(FleetLogEntry("defect", by: name, why: notice, at: now))
    }
    return notices
  }

  /// Lets another controller lead at once.
  package func stop() { lock.release() }

  /// - Returns: The words for the log; nil if another writer was faster, so that the controller has
  ///   to look again.
  private func perform(
    _ action: ControllerAction, _ view: FleetView, _ now: Timestamp
  ) throws(FleetError) -> [String]? {
    switch action {
    case .record(let record, let revision): return try write(record, revision, view) ? [] : nil
    case .progress(let progress, let revision):
      return try swap(.progress, revision, progress) ? [] : nil
    case .change(let state, let revision, let event):
      let entry = FleetLogEntry(event, by: name, rollout: state.rollout, why: state.why, at: now)
      guard try swap(.state, revision, state, log.document(of: entry)) else { return nil }
      lastHold = []
      return ["\(event): \(state.why)"]
    case .markBad(let set, let rollout, let why):
      let mark = BadSet(why: why, rollout: rollout, by: name, at: now)
      let isNew = try backend.create(keys.key(.bad(set)), DocumentCoder.encode(mark))
      return !isNew ? [] : ["set \(set.prefix(12)) is remembered as bad"]
    case .hold(let why, let gates):
      // Every stage waits for its time: what it lacks until then is no news.
      guard gates != lastHold, !gates.contains(.bake) else { return [] }
      lastHold = gates
      try log.append(FleetLogEntry("held", by: name, why: why, at: now))
      return ["held: \(why)"]
    }
  }

  /// Writes the parts of a record that have changed, and then its own document: who stops in between leaves the
  /// record that was there, or none that can be read.
  private func write(
    _ record: StageRecord, _ revision: Int, _ view: FleetView
  ) throws(FleetError) -> Bool {
    defer { reader.forget() }
    let earlier = view.record?.document
    let (document, parts) = record.split(after: earlier)
    let isSame = earlier?.rollout == record.rollout && earlier?.stage == record.stage
    let old = isSame ? earlier?.split(after: nil).parts ?? [] : []
    let revisions = try parts.isEmpty ? [:] : partRevisions(of: record.rollout, view)
    for (number, part) in parts.enumerated() where old.count != parts.count || old[number] != part {
      let key = FleetKey.stagePart(record.rollout, number)
      guard try swap(key, revisions[number] ?? 0, part) else { return false }
    }
    return try swap(.stage(record.rollout), revision, document)
  }

  /// The revisions of the parts that were read. If the record had no parts, these are the revisions
  /// of parts that an earlier record has left.
  private func partRevisions(
    of rollout: String, _ view: FleetView
  ) throws(FleetError) -> [Int: Int] {
    guard view.partRevisions.isEmpty else { return view.partRevisions }
    var revisions: [Int: Int] = [:]
    for entry in try backend.range(keys.key(.stage(rollout)) + "/").entries {
      if case .stagePart(_, let number) = keys.document(at: entry.key) {
        revisions[number] = entry.revision
      }
    }
    return revisions
  }

  private func swap(
    _ key: FleetKey, _ revision: Int, _ document: some Encodable,
    _ entry: (key: String, value: [UInt8])? = nil
  ) throws(FleetError) -> Bool {
    try backend.compareAndSwap(
      keys.key(key), revision: revision, DocumentCoder.encode(document), with: entry)
  }

  private var log: DecisionLog { DecisionLog(backend: backend, keys: keys) }
}

extension FleetController.Round {
  /// Whether the controller has changed something that is worth a line.
  package var hasChanged: Bool {
    if case .led(let lines) = self { !lines.isEmpty } else { false }
  }
}
