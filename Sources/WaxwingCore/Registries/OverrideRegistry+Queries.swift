// SPDX-License-Identifier: MIT

import Synchronization
package import WaxwingBridge
import WaxwingInterception
import WaxwingReflection

// What is overridden now, and whether the program is at baseline.
extension OverrideRegistry {
  /// How many functions are overridden by rewriting their code.
  package var rewrittenFunctions: Int {
    contents.withLock { contents in
      Set(
        contents.records.values.lazy.filter(\.isLive).flatMap(\.overrides).map(\.function)
          .filter { $0.enteredCode != nil }
      ).count
    }
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
    stacks(at: [entry])[entry] ?? []
  }

  /// The stacks of several patch points. Each layer is looked at once, however many points are asked for.
  func stacks(at entries: Set<UInt>) -> [UInt: [(session: Int, override: Override)]] {
    contents.withLock { contents in
      var found: [UInt: [(session: Int, override: Override, rank: LayerRank)]] = [:]
      for (session, record) in contents.records where record.isLive {
        for override in record.overrides {
          for layer in record.layers(override) {
            let entry = unsafe UInt(bitPattern: layer.point.entry)
            if !entries.contains(entry) { continue }
            found[entry, default: []].append((session, override, layer.rank))
          }
        }
      }
      return found.mapValues { stack in
        stack.sorted { $0.rank > $1.rank }.map { ($0.session, $0.override) }
      }
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
  struct Position {
    /// The place in the order of a call, from 1; 0 if the override is not live.
    var order = 0
    /// How many there are.
    var count = 0
  }

  /// Where the overrides of a session are among the live ones of their functions.
  func positions(of session: Int) -> [ObjectIdentifier: Position] {
    let own = overrides(of: session)
    let stacks = stacks(at: Set(own.map(\.entry)))
    var positions: [ObjectIdentifier: Position] = [:]
    for override in own {
      positions[ObjectIdentifier(override)] = Position(count: stacks[override.entry]?.count ?? 0)
    }
    for (entry, stack) in stacks {
      for (index, one) in stack.enumerated() where one.override.entry == entry {
        positions[ObjectIdentifier(one.override)]?.order = index + 1
      }
    }
    return positions
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
      let inPlace = Set(
        contents.records.values.flatMap(\.layers.values).flatMap(\.all).map(\.point))
      let entries = contents.snapshot.values.filter { entry in
        !inPlace.contains(entry.point) && points?.contains(entry.point) != false
      }
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

extension PatchSession {
  /// How many functions the patch overrides by rewriting their code.
  package var rewrittenFunctions: Int {
    runtime.overrides.all.count { $0.function.enteredCode != nil }
  }
}
