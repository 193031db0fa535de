// SPDX-License-Identifier: MIT

import WaxwingDeclarations
import WaxwingReflection

/// All functions of a program that have a symbol, patch points or not, by their names.
final class ProgramFunctions {
  private let images: [ElfImage]
  private var known: [String: Found] = [:]

  private struct Found {
    var functions: Set<FunctionDeclaration> = []
    var defaults: Set<Int> = []
  }

  init(_ images: [ElfImage]) { self.images = images }

  func named(_ base: String) -> Set<FunctionDeclaration> { find(base).functions }

  /// The parameters, from 0, that have a default value in any function of a name. A method that overrides
  /// another one has the other's.
  func defaults(ofNamed base: String) -> Set<Int> { find(base).defaults }

  /// Reads all symbols, and once more those with composed names if no other has the name.
  private func find(_ base: String) -> Found {
    if let found = known[base] { return found }
    let word = MangledWord(base)
    var found = unsafe find(base, where: word.isIn)
    if found.functions.isEmpty { found = unsafe find(base, where: word.mayBeIn) }
    known[base] = found
    return found
  }

  private func find(_ base: String, where isWanted: (UnsafeRawBufferPointer) -> Bool) -> Found {
    var found = Found()
    for image in images {
      let symbols = try? unsafe image.symbols(in: .complete, where: isWanted)
      for symbol in symbols ?? [] where symbol.isDefined { Self.add(symbol.name, base, to: &found) }
    }
    return found
  }

  private static func add(_ symbol: String, _ base: String, to found: inout Found) {
    if let value = defaultValue(symbol) {
      guard let owner = FunctionDeclaration(symbol: value.function), owner.baseName == base else {
        return
      }
      found.defaults.insert(value.index)
    } else if let function = FunctionDeclaration(symbol: symbol), function.baseName == base {
      found.functions.insert(function)
    }
  }

  /// The function whose parameter has the default value that a function makes: its symbol is
  /// followed by `fA_`, `fA0_`, `fA1_` ….
  private static func defaultValue(_ symbol: String) -> (function: String, index: Int)? {
    guard symbol.hasSuffix("_") else { return nil }
    let digits = symbol.dropLast().reversed().prefix(while: \.isNumber).reversed()
    let rest = symbol.dropLast(digits.count + 1)
    guard rest.hasSuffix("fA") else { return nil }
    let index = digits.isEmpty ? 0 : Int(String(digits)).map { $0 + 1 }
    return index.map { (String(rest.dropLast(2)), $0) }
  }
}
