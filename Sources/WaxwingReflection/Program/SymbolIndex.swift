// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Glibc

/// The Swift symbols of one image, in the order of their names: all that begin alike, such as the
/// members of a type, stand together; those of one name in the order in which the image has them.
/// Unchecked: never written after `init`.
final class SymbolIndex: @unchecked Sendable {
  /// One symbol. The name is made a `String` only when it is asked for. Its bytes are there as long as
  /// the index.
  /// Unchecked: never changed.
  struct Symbol: @unchecked Sendable {
    fileprivate let raw: wax_process_symbol

    var name: String { String(decoding: bytes, as: UTF8.self) }
    var address: UInt { UInt(raw.address) }
    var isFunction: Bool { raw.is_function }

    /// The name's bytes.
    var bytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: raw.name, count: Int(raw.length))
    }

    /// The same without its last bytes.
    func dropping(_ count: UInt32) -> Symbol {
      var shorter = raw
      shorter.length -= count
      return Symbol(raw: shorter)
    }

    func hasSameName(as other: Symbol) -> Bool {
      raw.length == other.raw.length && hasPrefix(other)
    }

    func hasPrefix(_ prefix: Symbol) -> Bool {
      raw.length >= prefix.raw.length
        && memcmp(raw.name, prefix.raw.name, Int(prefix.raw.length)) == 0
    }

    func hasSuffix(_ suffix: StaticString) -> Bool {
      let count = suffix.utf8CodeUnitCount
      guard bytes.count >= count, let end = bytes.baseAddress else { return false }
      return memcmp(end + bytes.count - count, suffix.utf8Start, count) == 0
    }
  }

  // Never written after `init`.
  private let symbols: UnsafeBufferPointer<wax_process_symbol>
  /// What has the symbols, and their names where these are not the image's own; nil: C has allocated
  /// them.
  private let storage: NamedSymbols?
  /// Whether the image names more than what it exports.
  let isComplete: Bool
  /// Where functions are that the optimiser has removed: one place for all of an object file.
  private let removed: Set<UInt>

  /// The symbols that a loaded image exports, from memory.
  init(exportedBy image: RunningImage) {
    var start: UnsafeMutablePointer<wax_process_symbol>?
    let count = image.isKept ? wax_process_exported_symbols(image.base, &start) : 0
    symbols = UnsafeBufferPointer(start: start, count: count)
    storage = nil
    isComplete = false
    removed = []
  }

  /// All symbols of an image, private ones too, from its file; what it exports if it has no others.
  convenience init(allOf image: RunningImage) {
    guard image.isKept, let elf = try? ElfImage(symbolsOf: image.path),
      elf.hasSymbols(in: .complete)
    else {
      self.init(exportedBy: image)
      return
    }
    self.init(elf, base: image.base)
  }

  /// All symbols of an image that has them. What is damaged has none.
  convenience init(_ elf: ElfImage, base: UInt) {
    let found = NamedSymbols(base: base)
    try? found.add(elf, .complete)
    self.init(found, isComplete: true)
  }

  /// The symbols of one table.
  convenience init(_ elf: ElfImage, _ table: ElfSymbolTable, base: UInt) throws(ElfError) {
    let found = NamedSymbols(base: base)
    try found.add(elf, table)
    self.init(found, isComplete: table == .complete)
  }

  private init(_ found: NamedSymbols, isComplete: Bool) {
    symbols = found.sorted()
    storage = found
    self.isComplete = isComplete
    removed = found.removed
  }

  deinit {
    if storage == nil { free(UnsafeMutableRawPointer(mutating: symbols.baseAddress)) }
  }

  /// The symbols that begin with `prefix`, in order.
  func symbols(prefix: String) -> some Sequence<Symbol> {
    let prefix = Array(prefix.utf8)
    let first = lowerBound(prefix)
    return symbols[first...].lazy.map(Symbol.init).prefix { $0.bytes.starts(with: prefix) }
  }

  var count: Int { symbols.count }

  subscript(index: Int) -> Symbol { Symbol(raw: symbols[index]) }

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
private final class NamedSymbols {
  private static let deadMethod: StaticString = "_swift_dead_method_stub"

  private(set) var removed: Set<UInt> = []
  private let base: UInt
  // Unchecked: used by one thread, before anybody else knows of it.
  @exclusivity(unchecked) private var names = GrowingMemory<CChar>()
  /// In place of the pointers to the names, where they begin.
  @exclusivity(unchecked) private var symbols = GrowingMemory<wax_process_symbol>()

  init(base: UInt) {
    self.base = base
  }

  deinit {
    names.free()
    symbols.free()
  }

  func add(_ elf: ElfImage, _ table: ElfSymbolTable) throws(ElfError) {
    try elf.forEachSymbol(in: table) { name, entry in add(name, entry) }
  }

  @inline(__always)
  private func add(_ name: UnsafeRawBufferPointer, _ entry: ElfSymbol.Entry) {
    guard name.count > 2, let bytes = name.baseAddress else { return }
    guard name[0] == UInt8(ascii: "$"), name[1] == UInt8(ascii: "s"), entry.isDefined else {
      if name.count == Self.deadMethod.utf8CodeUnitCount,
        memcmp(bytes, Self.deadMethod.utf8Start, name.count) == 0
      {
        removed.insert(base &+ UInt(entry.value))
      }
      return
    }
    let start = names.count
    let text = names.add(name.count + 1)
    memcpy(text, bytes, name.count)
    text[name.count] = 0
    symbols.add(1).initialize(
      to: wax_process_symbol(
        name: UnsafePointer(bitPattern: start + 1), length: UInt32(name.count),
        is_function: entry.kind == .function, address: base &+ UInt(entry.value)))
  }

  /// Call it once.
  func sorted() -> UnsafeBufferPointer<wax_process_symbol> {
    guard let start = symbols.start, let text = names.start else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    for index in 0..<symbols.count {
      start[index].name = UnsafePointer(text + (Int(bitPattern: start[index].name) - 1))
    }
    wax_process_symbols_sort(start, symbols.count)
    return UnsafeBufferPointer(start: start, count: symbols.count)
  }
}

/// Memory that grows, and is not initialized.
private struct GrowingMemory<Element: BitwiseCopyable> {
  private(set) var start: UnsafeMutablePointer<Element>?
  private(set) var count = 0
  private var capacity = 0

  /// Room for so many more, at the end.
  @inline(__always)
  mutating func add(_ more: Int) -> UnsafeMutablePointer<Element> {
    if count + more > capacity { grow(more) }
    guard let start else { preconditionFailure("it has just grown") }
    defer { count += more }
    return start + count
  }

  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more, 1024)
    guard let grown = realloc(start, capacity * MemoryLayout<Element>.stride) else {
      fatalError("no memory for the names of functions")
    }
    start = grown.bindMemory(to: Element.self, capacity: capacity)
  }

  func free() { Glibc.free(start) }
}
