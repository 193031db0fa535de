// SPDX-License-Identifier: MIT

/// The patches whose calls are timed: those that are loaded, and those that are applied later.
struct MeasuredPatches {
  /// Whether patches that are not named are measured.
  private var others = false
  private var named: [String: Bool] = [:]

  func contains(_ name: String) -> Bool { named[name] ?? others }

  /// - Parameter names: None: all patches, whatever was said of some before.
  mutating func set(_ isMeasured: Bool, _ names: [String]) {
    if names.isEmpty {
      others = isMeasured
      named = [:]
    }
    for name in names { named[name] = isMeasured }
  }
}
