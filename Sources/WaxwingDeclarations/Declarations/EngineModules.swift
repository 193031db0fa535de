// SPDX-License-Identifier: MIT

/// The modules that a program gets by linking the engine. Their functions are no patch points, whatever
/// they are compiled with: the engine would run into itself.
package enum EngineModules {
  static let names: Set<String> = [
    "CLua", "CSodium", "CZydis", "CWaxwingABI", "CWaxwingLua",
    "CWaxwingLuaSources", "CWaxwingPreload", "CWaxwingProcess",
    "CWaxwingRuntime", "CZydis", "Waxwing", "WaxwingBridge",
    "WaxwingControl", "WaxwingCore", "WaxwingDeclarations",
    "WaxwingInterception", "WaxwingLua",
    "WaxwingOperations", "WaxwingPatches",
    "WaxwingPreload",
    "WaxwingReflection", "WaxwingScripting", "WaxwingSelfCheck", "WaxwingSystem", "WaxwingValues",
  ]

  package static func contains(_ module: String) -> Bool { names.contains(module) }

  /// The modules of Swift's own libraries.
  private static let toolchain: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking", "FoundationXML", "Dispatch", "Observation", "RegexBuilder",
    "Synchronization", "_Concurrency", "_RegexParser", "_StringProcessing", "Glibc",
  ]

  /// Whether a module is one of Swift's own libraries'.
  package static func isToolchain(_ module: String) -> Bool { toolchain.contains(module) }

  /// Whether the engine itself may call functions of a module: its own, those of Swift's libraries, and what Swift makes of
  /// headers in C.
  package static func mayCall(_ module: String) -> Bool {
    contains(module) || isToolchain(module) || module == "__C"
  }
}
