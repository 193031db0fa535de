// SPDX-License-Identifier: MIT

import WaxwingPatches

/// Adapter: scripts by way of the bridge.
enum ScriptRunning {
  /// Runs a script to its end.
  static func run(_ source: PatchSource, arguments: [String]) throws(CommandError) -> ExitCode {
    throw CommandError(
      .failure, "cannot run \(source.main.name): this tool was built without the bridge",
      remedy: "build it with the WaxwingBridge target")
  }
}
