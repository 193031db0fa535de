// SPDX-License-Identifier: MIT

import Glibc
import WaxwingDeclarations

/// The comments that a program's source has above its declarations, where the compiler's modules are at
/// hand.
struct ModuleComments {
  private var comments: [String: [String]] = [:]
  /// The reasons why a module's comments are missing, if the user asked for them.
  private(set) var problems: [String] = []

  /// Creates comments for no modules.
  init() {}

  /// - Parameters:
  ///   - modules: Those whose comments are wanted.
  ///   - program: The program's file: modules are looked for beside it.
  ///   - folders: Where to look instead; if there are any, what is missing is a problem.
  init(_ modules: [String], program: String, folders: [String]) {
    let isAsked = !folders.isEmpty
    let places =
      isAsked ? folders.map(FactsSearch.resolved) : FactsSearch.folders(beside: program)
    for module in modules {
      let file = "\(module).swiftmodule"
      guard let folder = places.first(where: { unsafe access("\($0)/\(file)", R_OK) == 0 }) else {
        if isAsked { problems.append("there is no \(file) in \(places.joined(separator: " or "))") }
        continue
      }
      read(module, folder)
    }
  }

  private mutating func read(_ module: String, _ folder: String) {
    let build = folder.hasSuffix("/Modules") ? String(folder.dropLast("/Modules".count)) : folder
    let manifest = BuildManifest(besideFolder: build)
    let tool = SymbolGraphTool(
      module: module, folder: folder,
      compilation: manifest.compilation(of: "\(folder)/\(module).swiftmodule"), flags: [])
    do throws(SymbolGraphTool.Failure) {
      comments.merge(try tool.comments()) { first, _ in first }
    } catch {
      problems.append("module \(module): \(error.reason)")
    }
  }

  /// The comment of a type in the source.
  func of(_ type: NominalType) -> [String] {
    comments["$s" + TypeNode.nominal(type).inSymbols] ?? []
  }

  /// The comment of a function in the source, and its declaration in Swift.
  func of(_ function: ProgramOutline.Function) -> [String] {
    let found = Self.symbols(function.symbol).lazy.compactMap { comments[$0] }.first
    return (found.map { $0 + [""] } ?? []) + ["`\(function.declaration.description)`"]
  }

  /// The symbols under which a declaration may be listed: of an accessor its property, of an
  /// initializer either.
  private static func symbols(_ symbol: String) -> [String] {
    let isStatic = symbol.hasSuffix("Z")
    let stem = isStatic ? symbol.dropLast() : symbol[...]
    let end = isStatic ? "Z" : ""
    switch stem.last {
    case "g", "s", "w", "W": return [symbol, stem.dropLast() + "p" + end]
    case "C", "c": return [symbol, stem.dropLast() + "c", stem.dropLast() + "C"]
    default: return [symbol]
    }
  }
}
