// SPDX-License-Identifier: MIT

package import WaxwingBridge
internal import WaxwingLua

/// The declarations of a script besides overrides and classes, and when they are allowed.
///
/// The thread that has entered the state uses it. Once the script has loaded, any thread may read the
/// methods and conformances: a patch adds none then.
package final class ScriptDeclarations {
  private unowned let runtime: ScriptRuntime
  /// How many functions of `when_loaded` are running.
  private var lateFunctions = 0
  var fields = FieldDeclarations()
  package internal(set) var methods = MethodDeclarations()
  /// The conformances that the script gives to types, in the order of declaration.
  package internal(set) var conformances: [DeclaredConformance] = []
  /// The patch points that the prelude knows by numbers, from 1.
  var numberedPoints: [PointOverrides] = []

  init(_ runtime: ScriptRuntime) {
    self.runtime = runtime
  }

  /// Whether overrides may be assigned now.
  var areAllowed: Bool { runtime.isLoading || lateFunctions > 0 }

  /// Whether methods may be added now: a patch may declare them while it loads; a script of its
  /// own, or a shell, at any time.
  var mayAddMethods: Bool { runtime.isLoading || runtime.isWholeProgram }

  /// Runs `body`, in which overrides may be assigned; the state is entered.
  func declaring<Result>(_ body: () throws(LuaFailure) -> Result) throws(LuaFailure) -> Result {
    lateFunctions += 1
    defer { lateFunctions -= 1 }
    return try body()
  }
}
