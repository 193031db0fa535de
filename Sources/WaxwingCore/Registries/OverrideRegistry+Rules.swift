// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingBridge
import WaxwingInterception

/// The rules that hold for what the registry contains whenever its lock is free.
extension OverrideRegistry {
  /// The rules that do not hold, in sentences. In a sound engine there are none.
  /// - Parameter ended: Sessions whose overrides have been taken out.
  func brokenRules(ended: [Int]) -> [String] {
    contents.withLock { $0.brokenRules(ended: ended, isInstalled: interceptor.isInstalled) }
  }
}

extension OverrideRegistry.Contents {
  func brokenRules(ended: [Int], isInstalled: (InstalledOverride) -> Bool) -> [String] {
    let broken = records.flatMap { session, record in
      record.brokenRules(isInstalled).map { "session \(session) \($0)" }
    }
    let left = ended.filter { records[$0]?.layers.isEmpty == false }
    return broken + left.map { "session \($0) has ended, but has overrides in the program" }
      + brokenVersions + brokenStacks
  }

  /// The layers by entry are those of the records, and the entries without one are what is left of the snapshot.
  private var brokenStacks: [String] {
    var broken: [String] = []
    let recorded = Set(
      records.values.flatMap(\.layers.values).flatMap(\.all).map(ObjectIdentifier.init))
    if stacks.layers != recorded {
      broken.append(
        "\(stacks.layers.count) layers are known by entry, but records have \(recorded.count)")
    }
    let without = Set(snapshot.keys.filter(stacks.isEmpty))
    if vacant != without {
      broken.append("\(vacant.count) entries count as vacant, but \(without.count) have no layer")
    }
    return broken
  }

  /// The version of a type is the number of live sessions that change it.
  private var brokenVersions: [String] {
    let live = records.values.filter(\.isLive).flatMap(\.changes.keys)
    let counts = Dictionary(live.map { ($0, 1) }, uniquingKeysWith: +)
    let types = Set(counts.keys).union(versions.keys).sorted()
    return types.filter { counts[$0] != versions[$0] }.map {
      "the class version of \($0) is \(versions[$0] ?? 0), but \(counts[$0] ?? 0) live sessions "
        + "change it"
    }
  }
}

extension OverrideRegistry.Record {
  /// The broken rules of the record, each as a text after the session's number.
  func brokenRules(_ isInstalled: (InstalledOverride) -> Bool) -> [String] {
    var broken: [String] = []
    if isLive, hasEnded { broken.append("is live and has ended") }
    if isLive != gate.isActive {
      broken.append(isLive ? "is live, but its switch is off" : "is not live, but its switch is on")
    }
    if isLive, lingering?.gates.contains(where: \.isActive) == true {
      broken.append("is live, but objects go on as if it had ended")
    }
    // Sessions that have been taken out keep their overrides for those who ask about them.
    let hasBeenTakenOut = hasEnded && layers.isEmpty
    if !hasBeenTakenOut, Set(overrides.map(ObjectIdentifier.init)) != Set(layers.keys) {
      broken.append("has \(overrides.count) overrides, but layers of others")
    }
    let recorded = layers.values.flatMap(\.all) + (lingering?.layers.map(\.layer) ?? [])
    let missing = recorded.count { !isInstalled($0) }
    if missing > 0 { broken.append("has \(missing) layers that are not installed") }
    return broken
  }
}
