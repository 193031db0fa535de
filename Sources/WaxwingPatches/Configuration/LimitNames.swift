// SPDX-License-Identifier: MIT

/// The limits that there are, as configuration files name them: the engine's properties with dashes. They
/// stand here too so that the tool can check a file without an engine.
package enum LimitNames {
  /// The names in the order of the properties.
  package static let all = [
    "instructions", "most-instructions", "milliseconds", "most-milliseconds", "memory",
    "most-memory", "total-memory", "load-instructions", "load-milliseconds", "boot-patches",
    "boot-milliseconds", "overrides", "log-lines", "tasks", "tasks-per-second",
    "task-milliseconds", "depth", "faults",
    "stuck-seconds", "debug-seconds", "idle-milliseconds", "fault-seconds",
  ]
}
