// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingReflection

/// A parallel patch: the same script, loaded into several Lua states. The first is the one that the
/// engine deals with; its callbacks and its added methods run there.
extension ScriptRuntime {
  /// This runtime and its replicas.
  package var all: [ScriptRuntime] { [self] + replicas }

  /// Lets calls of this script's overrides take any of these states as well.
  /// - Precondition: All have loaded the same files, and no override is installed.
  /// - Returns: The difference between them, in a sentence; nil if there is none.
  package func join(_ others: [ScriptRuntime]) -> String? {
    for other in others {
      let isSame = other.overrides.all.elementsEqual(overrides.all) {
        $0.function == $1.function && $0.role == $1.role && $0.pieces.count == $1.pieces.count
      }
      if !isSame {
        return "the patch is parallel, but declares other overrides when its script runs again"
      }
    }
    replicas = others
    for (index, override) in overrides.all.enumerated() {
      override.replicas = OverrideReplicas(of: override, others.map { $0.overrides.all[index] })
    }
    return nil
  }
}
