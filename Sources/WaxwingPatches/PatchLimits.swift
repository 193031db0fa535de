// SPDX-License-Identifier: MIT

/// The limits that a patch asks for; nil leaves the host's default, which also caps every value.
package struct PatchLimits: Hashable, Sendable {
  /// Lua instructions per call.
  package var instructions: Int?

  /// Bytes that the patch's Lua state may hold.
  package var memory: Int?

  /// Time per call, without the time spent in originals.
  package var milliseconds: Int?

  /// Creates limits that are all the host's defaults.
  init() {}

  init(from fields: inout ManifestFields) throws(PatchError) {
    instructions = try fields.count("instructions", from: 1)
    memory = try fields.size("memory")
    milliseconds = try fields.count("milliseconds", from: 1)
    try fields.refuseOthers()
  }
}
