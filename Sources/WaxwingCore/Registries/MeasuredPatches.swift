// SPDX-License-Identifier: MIT

/// Which patches are measured: those that are loaded, and those that are applied later.
struct MeasuredPatches {
  /// Of patches that are not named.
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
