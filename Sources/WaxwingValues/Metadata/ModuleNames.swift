// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingReflection

/// Modules that others hand on: what `import Foundation` shows is declared in several.
package enum ModuleNames {
  private static let parts: [String: [String]] = [
    "Foundation": ["FoundationEssentials", "FoundationInternationalization"],
    "Swift": ["_Concurrency", "_StringProcessing"],
  ]

  /// The modules that the name of one may mean, itself first.
  package static func modules(named name: String) -> [String] { [name] + (parts[name] ?? []) }

  /// The name of the module that a program imports for what this one declares.
  package static func imported(for module: String) -> String {
    parts.first { $0.value.contains(module) }?.key ?? module
  }

  /// Whether the module is one of Swift's or Foundation's own.
  package static func isStandard(_ module: String) -> Bool { parts[imported(for: module)] != nil }

  /// Whether the module is part of the engine, which no script means.
  package static func isEngine(_ module: String) -> Bool {
    module.hasPrefix("Waxwing") || module.hasPrefix("CWaxwing")
  }

  /// The types of one name that a program means: a module's own types come before those of modules
  /// that it re-exports (`Foundation.Bundle`), and types of modules without an underscore before
  /// others.
  package static func preferred(_ types: [RunningType]) -> [RunningType] {
    let modules = Set(types.compactMap(\.nominal.rootModule))
    if modules.count < 2 { return types }
    let best = types.filter { type in
      guard let module = type.nominal.rootModule else { return true }
      let umbrella = imported(for: module)
      if umbrella != module && modules.contains(umbrella) { return false }
      return !module.hasPrefix("_") || modules.allSatisfy { $0.hasPrefix("_") }
    }
    return best.isEmpty ? types : best
  }

  /// What the names are spelled with in text: `Foundation.URL`, whichever module declares it.
  package static func displayed(_ text: String) -> String {
    guard text.contains("Foundation") || text.contains("_") else { return text }
    var shown = text
    for (imported, parts) in parts {
      for part in parts { shown = shown.replacing("\(part).", with: "\(imported).") }
    }
    return shown
  }
}

extension RunningFunction {
  /// What messages call the function: `Bank.Account.deposit(_:memo:)`, with the module that a program
  /// imports for it.
  package var displayedName: String { ModuleNames.displayed(declaration.qualifiedName) }
}
