// SPDX-License-Identifier: MIT

import WaxwingControl

/// The row of one override in `waxwing top`.
struct TopRow: Encodable, Equatable {
  let patch: String
  let function: String
  /// The calls per second since the last look.
  let rate: Double
  let calls: UInt64
  let errors: UInt64
  let isOff: Bool
  /// The times of the calls since the last look.
  let times: TimesReport?
}

/// The row of one patch.
struct TopPatch: Encodable, Equatable {
  let name: String
  let state: PatchStatus.State
  let rate: Double
  let errors: UInt64
  let callsInFlight: Int
  let tasks: Int
  let memory: Int
  let isMeasured: Bool
}

/// A daemon's patches between two looks at them.
struct TopSample: Encodable, Equatable {
  let daemon: DaemonInfo
  let patches: [TopPatch]
  let overrides: [TopRow]

  /// - Parameters:
  ///   - old: The list before; nil: there was none, and all rates are 0.
  ///   - seconds: Between the two.
  init(_ daemon: DaemonInfo, _ new: [PatchStatus], after old: [PatchStatus]?, seconds: Double) {
    self.daemon = daemon
    var patches: [TopPatch] = []
    var rows: [TopRow] = []
    for patch in new {
      let before = old?.first { $0.name == patch.name && $0.appliedAt == patch.appliedAt }
      let own = patch.overrides.map { override -> TopRow in
        let last = before?.overrides.first {
          $0.qualifiedName == override.qualifiedName && $0.kind == override.kind
        }
        return TopRow(
          patch: patch.name, function: override.qualifiedName,
          rate: old == nil ? 0 : Self.rate(override.calls, since: last?.calls ?? 0, seconds),
          calls: override.calls, errors: override.errors, isOff: override.switchedOff != nil,
          times: override.times.map { $0.since(last?.times) })
      }
      rows += own
      patches.append(TopPatch(patch, own))
    }
    self.patches = patches
    overrides = rows
  }

  private static func rate(_ calls: UInt64, since before: UInt64, _ seconds: Double) -> Double {
    seconds > 0 ? Double(calls >= before ? calls - before : calls) / seconds : 0
  }
}

extension TopPatch {
  fileprivate init(_ patch: PatchStatus, _ rows: [TopRow]) {
    name = patch.name
    state = patch.state
    rate = rows.reduce(0) { $0 + $1.rate }
    errors = rows.reduce(0) { $0 &+ $1.errors } &+ UInt64(clamping: patch.tasks?.failed ?? 0)
    callsInFlight = patch.callsInFlight ?? 0
    tasks = patch.tasks?.live ?? 0
    memory = patch.memory ?? 0
    isMeasured = patch.isMeasured ?? false
  }
}
