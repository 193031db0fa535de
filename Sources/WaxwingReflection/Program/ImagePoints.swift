// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations

/// The patch points of one image, in the order of their symbols. Each is demangled when it is asked for,
/// and remembered.
final class ImagePoints: Sendable {
  /// The meaning of a symbol.
  enum Point: Sendable {
    case function(RunningFunction)
    /// The image does not name the function.
    case codeless(PatchPoint)
    case unreadable
    /// A function of the engine, which is no patch point.
    case engines
  }

  let symbols: [PatchPointSymbol]
  /// The index, which keeps the names alive.
  private let index: SymbolIndex
  private let facts: ImageFacts?
  private let known: Mutex<[Point?]>

  init(_ index: SymbolIndex, _ facts: ImageFacts?) {
    self.index = index
    self.facts = facts
    symbols = index.patchPoints
    known = Mutex(Array(repeating: nil, count: symbols.count))
  }

  subscript(place: Int) -> Point {
    if let point = known.withLock({ $0[place] }) { return point }
    let point = read(symbols[place])
    known.withLock { $0[place] = point }
    return point
  }

  /// The function at a place; nil if it is no patch point.
  func function(_ place: Int) -> RunningFunction? {
    if case .function(let function) = self[place] { function } else { nil }
  }

  private func read(_ point: PatchPointSymbol) -> Point {
    let name = point.symbol.name
    guard let declaration = FunctionDeclaration(symbol: name) else { return .unreadable }
    if EngineModules.contains(declaration.module) { return .engines }
    guard let implementation = point.implementation else {
      return .codeless(
        PatchPoint(
          symbol: name, entry: UInt64(point.entry), implementation: nil, isAsync: point.isAsync,
          declaration: declaration))
    }
    return .function(
      RunningFunction(
        symbol: name, address: implementation, entry: point.entry, isAsync: point.isAsync,
        isRemoved: false, isReplacement: index.address(of: name + "TI") != nil,
        declaration: declaration, facts: facts))
  }

  /// The places of those whose symbols begin like this.
  func places(prefix: String) -> Range<Int> {
    let prefix = Array(prefix.utf8)
    let first = unsafe lowerBound { unsafe $0.lexicographicallyPrecedes(prefix) }
    let end = unsafe lowerBound {
      unsafe $0.lexicographicallyPrecedes(prefix) || $0.starts(with: prefix)
    }
    return first..<end
  }

  /// The place of the one with this symbol.
  func place(of symbol: String) -> Int? {
    let wanted = Array(symbol.utf8) + Array("TX".utf8)
    let place = unsafe lowerBound { unsafe $0.lexicographicallyPrecedes(wanted) }
    return unsafe place < symbols.count && symbols[place].entrySymbol.bytes.elementsEqual(wanted)
      ? place : nil
  }

  /// The index of the first symbol for which `isBefore` is false.
  private func lowerBound(_ isBefore: (UnsafeRawBufferPointer) -> Bool) -> Int {
    var (low, high) = (0, symbols.count)
    while low < high {
      let middle = (low + high) / 2
      if unsafe isBefore(symbols[middle].entrySymbol.bytes) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
