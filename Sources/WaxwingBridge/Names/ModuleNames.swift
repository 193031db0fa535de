// SPDX-License-Identifier: MIT

/// Modules that others hand on: what `import Foundation` shows is declared in several.
enum ModuleNames {
  private static let parts: [String: [String]] = [
    "Foundation": ["FoundationEssentials", "FoundationInternationalization"],
    "Swift": ["_Concurrency", "_StringProcessing"],
  ]

  /// The modules that the name of one may mean, itself first.
  static func modules(named name: String) -> [String] { [name] + (parts[name] ?? []) }

  /// The name of the module that a program imports for what this one declares.
  static func imported(for module: String) -> String {
    parts.first { $0.value.contains(module) }?.key ?? module
  }

  /// Whether the module is one of Swift's or Foundation's own.
  static func isStandard(_ module: String) -> Bool { parts[imported(for: module)] != nil }

  /// Whether the module is part of the engine, which no script means.
  static func isEngine(_ module: String) -> Bool {
    module.hasPrefix("Waxwing") || module.hasPrefix("CWaxwing")
  }

  /// The name of a type with the modules that programs import: `Foundation.URL`.
  static func displayed(_ name: String) -> String {
    guard name.contains("Foundation") || name.contains("_") else { return name }
    var shown = name
    for (imported, parts) in parts {
      for part in parts { shown = shown.replacing("\(part).", with: "\(imported).") }
    }
    return shown
  }
}
