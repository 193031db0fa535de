// SPDX-License-Identifier: MIT

import Synchronization
package import WaxwingBridge
import WaxwingInterception
import WaxwingReflection

// What is overridden now, and whether the program is at baseline.
extension OverrideRegistry {
  /// How many functions are overridden by rewriting their code.
  package var rewrittenFunctions: Int {
    contents.withLock { $0.stacks.rewritten }
  }

  /// A session's overrides, in the order of declaration.
  package func overrides(of session: Int) -> [Override] {
    contents.withLock { $0.records[session]?.overrides ?? [] }
  }

  /// How many live sessions change each type; those that none changes are not in it.
  package var versions: [String: Int] { contents.withLock { $0.versions } }

  /// The versions of the types that one session changes.
  func versions(changedBy session: Int) -> [String: Int] {
    contents.withLock { contents in
      let changed =
        contents.records[session]?.changes.keys.map { ($0, contents.versions[$0]) } ?? []
      return Dictionary(uniqueKeysWithValues: changed).compactMapValues { $0 }
    }
  }

  /// The overrides of one patch point in live sessions, in the order in which a call comes to them.
  func stack(at entry: UInt) -> [(session: Int, override: Override)] {
    contents.withLock { $0.liveStack(at: entry) }
  }

  /// The stacks of several patch points.
  func stacks(at entries: Set<UInt>) -> [UInt: [(session: Int, override: Override)]] {
    contents.withLock { contents in
      Dictionary(uniqueKeysWithValues: entries.map { ($0, contents.liveStack(at: $0)) })
    }
  }

  /// The requirement that a live session lets a type fulfil: `Bank.Account.greet(_:) of Greeter`.
  func requirement(named name: String) -> RunningFunction? {
    contents.withLock { contents in
      contents.records.values.lazy.filter(\.isLive).flatMap(\.overrides).map(\.function)
        .first { $0.witness != nil && $0.qualifiedName == name }
    }
  }

  /// Where an override is among the live ones of its function.
  package struct Position {
    /// The place in the order of a call, from 1; 0 if the override is not live.
    var order = 0
    /// How many there are.
    var count = 0
  }

  /// Where all live overrides are among those of their functions. Each is looked at once.
  package func positions() -> [ObjectIdentifier: Position] {
    contents.withLock { contents in
      let live = Set(contents.records.filter(\.value.isLive).keys)
      var positions: [ObjectIdentifier: Position] = [:]
      contents.stacks.forEachStack { first, more in
        let members = more.isEmpty ? [first] : ([first] + more).filter { live.contains($0.session) }
        for (index, member) in members.enumerated()
        where member.isOwn && live.contains(member.session) {
          positions[ObjectIdentifier(member.override)] = Position(
            order: index + 1, count: members.count)
        }
      }
      return positions
    }
  }

  /// A session's overrides, in the order of declaration, and where they are among the live ones of their functions.
  func positions(of session: Int) -> [(override: Override, position: Position)] {
    contents.withLock { contents in
      (contents.records[session]?.overrides ?? []).map { ($0, contents.position(of: $0)) }
    }
  }

  /// Where an override is among the live ones of its function.
  func position(of override: Override) -> Position {
    contents.withLock { $0.position(of: override) }
  }

  /// The function whose entry this is, if it was ever overridden.
  package func function(at entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> String? {
    contents.withLock { $0.snapshot[UInt(bitPattern: entry)]?.function }
  }

  /// Compares the program with the expected state: the entries without override with the snapshot,
  /// the versions with the sessions that are live.
  /// - Parameter points: The entries to compare; nil for all.
  func verify(_ points: Set<InterceptionPoint>?) -> Verification {
    contents.withLock { contents in
      let asked = points.map { Set($0.map { unsafe UInt(bitPattern: $0.entry) }) }
      let entries = (asked?.intersection(contents.vacant) ?? contents.vacant)
        .compactMap { contents.snapshot[$0] }
      let changed = contents.records.values.filter(\.isLive).flatMap(\.changes.keys)
      let changing = Dictionary(changed.map { ($0, 1) }, uniquingKeysWith: +)
      return Verification(
        entries: entries.count, changed: entries.filter { !$0.isAtBaseline },
        versions: contents.versions.filter { $0.value != changing[$0.key] ?? 0 }.keys.sorted())
    }
  }

  /// The result of a comparison.
  struct Verification {
    /// How many entries were compared.
    let entries: Int
    let changed: [EntrySnapshot]
    /// The types whose version is not the number of live sessions that change them.
    let versions: [String]

    /// The differences, as sentences for the user.
    var sentences: [String] { changed.map(\.difference) + versions.map(Self.difference) }

    static func difference(version type: String) -> String {
      "the class version of \(type) is not the number of live patches that change it"
    }
  }

  /// Whether an entry holds the word that it held before the first patch.
  func isAtBaseline(entry: UInt) -> Bool {
    contents.withLock { $0.snapshot[entry]?.isAtBaseline ?? true }
  }

  /// Whether no live session has an override installed.
  var isAtBaseline: Bool {
    contents.withLock { $0.records.values.allSatisfy { $0.layers.isEmpty || !$0.isLive } }
  }
}

extension OverrideRegistry.Contents {
  /// The overrides of live sessions at an entry, in the order in which a call comes to them.
  fileprivate func liveStack(at entry: UInt) -> [(session: Int, override: Override)] {
    var live: [(session: Int, override: Override)] = []
    stacks.forEach(at: entry) { member in
      if records[member.session]?.isLive == true { live.append((member.session, member.override)) }
    }
    return live
  }

  fileprivate func position(of override: Override) -> OverrideRegistry.Position {
    var position = OverrideRegistry.Position()
    stacks.forEach(at: override.entry) { member in
      guard records[member.session]?.isLive == true else { return }
      position.count += 1
      if member.override === override { position.order = position.count }
    }
    return position
  }
}

extension PatchSession {
  /// How many functions the patch overrides by rewriting their code.
  package var rewrittenFunctions: Int {
    runtime.overrides.all.count { $0.function.enteredCode != nil }
  }
}
