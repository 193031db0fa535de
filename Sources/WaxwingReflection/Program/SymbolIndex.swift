// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import Glibc

/// The Swift symbols of one image of this process, in the order of their names: all that begin
/// alike, such as the members of a type, stand together.
///
/// An index lives as long as the process, and so do the names in it.
final class SymbolIndex: @unchecked Sendable {
  /// One symbol. The name is made a `String` only when it is asked for.
  /// Its bytes are those of an image that is there for good.
  struct Symbol: @unchecked Sendable {
    fileprivate let raw: waxwing_symbol

    var name: String { String(decoding: bytes, as: UTF8.self) }
    var address: UInt { UInt(raw.address) }
    var isFunction: Bool { raw.is_function }

    /// The name's bytes.
    var bytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: raw.name, count: Int(raw.length))
    }

    func hasSuffix(_ suffix: StaticString) -> Bool {
      let count = suffix.utf8CodeUnitCount
      guard bytes.count >= count, let end = bytes.baseAddress else { return false }
      return memcmp(end + bytes.count - count, suffix.utf8Start, count) == 0
    }
  }

  // Never written after `init`.
  private let symbols: UnsafeBufferPointer<waxwing_symbol>
  /// Whether the image names more than what it exports.
  let isComplete: Bool
  /// Where functions are that the optimiser has removed: one place for all of an object file.
  private let removed: Set<UInt>

  /// The symbols that a loaded image exports, from memory.
  init(exportedBy image: RunningImage) {
    var start: UnsafeMutablePointer<waxwing_symbol>?
    let count = image.isKept ? waxwing_exported_symbols(image.base, &start) : 0
    symbols = UnsafeBufferPointer(start: start, count: count)
    isComplete = false
    removed = []
  }

  /// All symbols of an image, private ones too, from its file; what it exports if it has no others.
  convenience init(allOf image: RunningImage) {
    if image.isKept, let elf = try? ElfImage(path: image.path), elf.hasSymbols(in: .complete) {
      self.init(elf, image)
    } else {
      self.init(exportedBy: image)
    }
  }

  private init(_ elf: ElfImage, _ image: RunningImage) {
    var found = NamedSymbols(base: image.base)
    // What is damaged has no symbols.
    try? elf.forEachSymbol(in: .complete) { name, entry in found.add(name, entry) }
    symbols = found.sorted()
    isComplete = true
    removed = found.removed
  }

  /// The symbols that begin with `prefix`, in order.
  func symbols(prefix: String) -> some Sequence<Symbol> {
    let prefix = Array(prefix.utf8)
    let first = lowerBound(prefix)
    return symbols[first...].lazy.map(Symbol.init).prefix { $0.bytes.starts(with: prefix) }
  }

  /// Where the symbol of this name is; nil if the image has none.
  func address(of name: String) -> UInt? {
    let wanted = Array(name.utf8)
    let index = lowerBound(wanted)
    guard index < symbols.count, symbols[index].length == wanted.count,
      memcmp(symbols[index].name, wanted, wanted.count) == 0
    else { return nil }
    return UInt(symbols[index].address)
  }

  /// The names of what begins there. Looks at all symbols.
  func names(at address: UInt) -> [String] {
    symbols.lazy.filter { UInt($0.address) == address }.map { Symbol(raw: $0).name }
  }

  /// Whether the function there is one that ends the program when it is called.
  func isRemoved(_ address: UInt) -> Bool { removed.contains(address) }

  /// All symbols that end in `suffix`.
  func symbols(suffix: StaticString) -> [Symbol] {
    symbols.lazy.map(Symbol.init).filter { $0.hasSuffix(suffix) }
  }

  /// The first symbol that is not before `name`, in the order of bytes.
  private func lowerBound(_ name: [UInt8]) -> Int {
    var low = 0
    var high = symbols.count
    while low < high {
      let middle = (low + high) / 2
      let symbol = symbols[middle]
      let order = memcmp(symbol.name, name, min(Int(symbol.length), name.count))
      if order < 0 || (order == 0 && Int(symbol.length) < name.count) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

/// Symbols that are read from a file, with names of their own.
private struct NamedSymbols {
  let base: UInt
  private(set) var removed: Set<UInt> = []
  private var names: [UInt8] = []
  private var entries: [(offset: Int, length: Int, isFunction: Bool, address: UInt)] = []

  init(base: UInt) {
    self.base = base
  }

  mutating func add(_ name: UnsafeRawBufferPointer, _ entry: ElfSymbol.Entry) {
    if name.first == UInt8(ascii: "_"), name.elementsEqual("_swift_dead_method_stub".utf8) {
      removed.insert(base &+ UInt(entry.value))
      return
    }
    guard entry.isDefined, name.count > 2, name[0] == UInt8(ascii: "$"),
      name[1] == UInt8(ascii: "s")
    else { return }
    entries.append(
      (names.count, name.count, entry.kind == .function, base &+ UInt(entry.value)))
    names += name
    names.append(0)
  }

  /// In memory that is never freed.
  func sorted() -> UnsafeBufferPointer<waxwing_symbol> {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: max(names.count, 1))
    UnsafeMutableRawPointer(text).copyMemory(from: names, byteCount: names.count)
    let symbols = UnsafeMutableBufferPointer<waxwing_symbol>.allocate(capacity: entries.count)
    for (index, entry) in entries.enumerated() {
      symbols.initializeElement(
        at: index,
        to: waxwing_symbol(
          name: text + entry.offset, length: UInt32(entry.length), is_function: entry.isFunction,
          address: entry.address))
    }
    waxwing_symbols_sort(symbols.baseAddress, symbols.count)
    return UnsafeBufferPointer(symbols)
  }
}
