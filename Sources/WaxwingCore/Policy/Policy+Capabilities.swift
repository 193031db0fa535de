// SPDX-License-Identifier: MIT

extension Policy {
  /// A right that is off by default: a patch has to ask for it in its manifest, and the host has to
  /// grant it.
  public enum Capability: String, CaseIterable, Sendable {
    /// Calls run without limits on instructions and time, and so faster: for small overrides of hot
    /// functions. Memory stays limited.
    case unlimited
    /// Tables with `__mode`. The `weak` function needs no capability.
    case weakTables = "weak-tables"
  }
}
