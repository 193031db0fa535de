// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingDeclarations
import WaxwingReflection

/// Says in which functions addresses of a program are, from the files of the program and its libraries.
final class Symbolizer {
  private struct Function {
    let start, end: UInt
    let name: String
  }

  /// The images by their base addresses.
  private let images: [ProgramImage]
  private var functions: [UInt: [Function]] = [:]
  private var known: [UInt: String] = [:]

  init(_ images: [ProgramImage]) {
    self.images = images.sorted { $0.base < $1.base }
  }

  /// `bankd.Bank.withdraw(_:from:memo:)`; where no symbol says it, the file and the place in it.
  func name(at address: UInt) -> String {
    if let name = known[address] { return name }
    let name = find(address)
    known[address] = name
    return name
  }

  private func find(_ address: UInt) -> String {
    guard let image = images.last(where: { $0.base <= address }) else {
      return "0x" + String(address, radix: 16)
    }
    let offset = address - image.base
    let all = functions(of: image)
    let after = all.partition { $0.start > offset }
    if after > 0, offset < all[after - 1].end {
      return Self.displayed(all[after - 1].name)
    }
    let file = image.path.split(separator: "/").last.map(String.init) ?? "?"
    return "\(file) + 0x" + String(offset, radix: 16)
  }

  /// The functions of an image in the order of their addresses.
  private func functions(of image: ProgramImage) -> [Function] {
    if let found = functions[image.base] { return found }
    let found = Self.functions(at: image.path)
    functions[image.base] = found
    return found
  }

  private static func functions(at path: String) -> [Function] {
    guard let file = try? ElfImage(symbolsOf: path) else { return [] }
    let all = (try? file.symbols(in: .complete)) ?? []
    let symbols = all.isEmpty ? (try? file.symbols(in: .dynamic)) ?? [] : all
    return symbols.filter { $0.isDefined && $0.kind == .function && $0.size > 0 }
      .map {
        Function(start: UInt($0.value), end: UInt($0.value + $0.size), name: $0.name)
      }
      .sorted { ($0.start, $0.name) < ($1.start, $1.name) }
  }

  /// A function as its author writes it, of its symbol.
  static func displayed(_ symbol: String) -> String {
    guard symbol.hasPrefix("$s") else { return symbol }
    if let known = SwiftSymbol(symbol) { return displayed(known.declaration) }
    // What the optimizer has made of a function is named after it.
    let parts = symbol.split(separator: "Tf", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return symbol }
    let original = SwiftSymbol(parts.dropLast().joined(separator: "Tf"))
    return original.map { displayed($0.declaration) } ?? symbol
  }

  /// A closure, or a local function, with the function that it is in.
  private static func displayed(_ declaration: FunctionDeclaration) -> String {
    guard case .declaration(let outer, _) = declaration.context else {
      return declaration.qualifiedName
    }
    // A property's initial value is a function without a name.
    return declaration.selector.isEmpty
      ? displayed(outer) : "\(declaration.selector) in \(displayed(outer))"
  }
}

extension Array {
  /// In a sorted array, the number of elements before the first for which `isAfter` is true.
  fileprivate func partition(_ isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
