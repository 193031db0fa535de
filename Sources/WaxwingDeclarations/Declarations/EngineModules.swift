// SPDX-License-Identifier: MIT

/// The modules that a program gets by linking the engine. Their functions are no patch points, whatever
/// they are compiled with: the engine would run into itself.
package enum EngineModules {
  static let names: Set<String> = [
    "CLua", "CSodium", "CWaxwingABI", "CWaxwingLua",
    "CWaxwingLuaSources", "CWaxwingPreload", "CWaxwingProcess",
    "CWaxwingRuntime", "Waxwing", "WaxwingBridge",
    "WaxwingControl", "WaxwingCore", "WaxwingDeclarations",
    "WaxwingInterception", "WaxwingLua",
    "WaxwingOperations", "WaxwingPatches",
    "WaxwingPreload",
    "WaxwingReflection", "WaxwingScripting", "WaxwingSelfCheck", "WaxwingSystem", "WaxwingValues",
  ]

  package static func contains(_ module: String) -> Bool { names.contains(module) }
}
