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
    TextCount.add()
    var shown: [UInt8] = []
    var text = text
    let isChanged = text.withUTF8 { bytes in
      var start = 0  // of what is not in `shown` yet
      var index = 0
      while index < bytes.count {
        guard let (part, imported) = spelled(bytes, at: index) else {
          index += 1
          continue
        }
        shown += bytes[start..<index]
        shown += imported
        index += part
        start = index
      }
      if start > 0 { shown += bytes[start...] }
      return start > 0
    }
    return isChanged ? String(decoding: shown, as: UTF8.self) : text
  }

  private static let spellings: [(part: [UInt8], imported: [UInt8])] = parts.flatMap { own in
    own.value.map { (Array("\($0).".utf8), Array("\(own.key).".utf8)) }
  }

  /// The length of a part's name at this place, and the name that is shown for it; nil: there is none.
  private static func spelled(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Int, [UInt8])? {
    guard bytes[index] == UInt8(ascii: "F") || bytes[index] == UInt8(ascii: "_") else { return nil }
    for (part, imported) in spellings where bytes[index...].starts(with: part) {
      return (part.count, imported)
    }
    return nil
  }
}

extension RunningFunction {
  /// What messages call the function: `Bank.Account.deposit(_:memo:)`, with the module that a program
  /// imports for it.
  package var displayedName: String { ModuleNames.displayed(declaration.qualifiedName) }
}
