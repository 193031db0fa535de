// SPDX-License-Identifier: MIT

import WaxwingControl

/// The orders in which the rows of `waxwing top` are sorted.
enum TopOrder: String, CaseIterable {
  case calls, p50, p99, errors, memory, flight, tasks, name

  /// The key that chooses it.
  var key: Character {
    switch self {
    case .calls: "c"
    case .p50: "5"
    case .p99: "9"
    case .errors: "e"
    case .memory: "m"
    case .flight: "i"
    case .tasks: "t"
    case .name: "n"
    }
  }

  /// The rows in order, the greatest first, equal ones by name. Counts that only patches have hold
  /// for all overrides of a patch.
  func sorted(_ rows: [TopRow], _ patches: [TopPatch]) -> [TopRow] {
    let byName = Dictionary(patches.map { ($0.name, $0) }) { $1 }
    return rows.sorted { a, b in
      let (one, other) = (value(a, byName[a.patch]), value(b, byName[b.patch]))
      return one == other ? (a.function, a.patch) < (b.function, b.patch) : one > other
    }
  }

  func sorted(_ patches: [TopPatch], _ rows: [TopRow]) -> [TopPatch] {
    let byPatch = Dictionary(grouping: rows, by: \.patch)
    return patches.sorted { a, b in
      let one = value(a, byPatch[a.name] ?? [])
      let other = value(b, byPatch[b.name] ?? [])
      return one == other ? a.name < b.name : one > other
    }
  }

  private func value(_ row: TopRow, _ patch: TopPatch?) -> Double {
    switch self {
    case .calls: row.rate
    case .p50: row.times?.p50 ?? 0
    case .p99: row.times?.p99 ?? 0
    case .errors: Double(row.errors)
    case .memory: Double(patch?.memory ?? 0)
    case .flight: Double(patch?.callsInFlight ?? 0)
    case .tasks: Double(patch?.tasks ?? 0)
    case .name: 0
    }
  }

  private func value(_ patch: TopPatch, _ rows: [TopRow]) -> Double {
    switch self {
    case .calls: patch.rate
    case .errors: Double(patch.errors)
    case .p50, .p99: rows.map { value($0, patch) }.max() ?? 0
    case .memory: Double(patch.memory)
    case .flight: Double(patch.callsInFlight)
    case .tasks: Double(patch.tasks)
    case .name: 0
    }
  }
}
