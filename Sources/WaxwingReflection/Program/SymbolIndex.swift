// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Glibc
internal import Synchronization

/// The Swift symbols of one image, in the order of their names: all that begin alike, such as the
/// members of a type, stand together; those of one name in the order in which the image has them.
/// Unchecked: never written after `init`.
/// Safe: it has the symbols and their names as long as it lives, and looks at those that are counted.
@safe
final class SymbolIndex: @unchecked Sendable {
  /// One symbol. The name becomes a `String` only when it is asked for. Its bytes exist as long as
  /// the index. Unchecked: never changed. Safe: nobody keeps one longer than the index.
  @safe
  struct Symbol: @unchecked Sendable {
    fileprivate let raw: wax_process_symbol

    var name: String { unsafe String(decoding: bytes, as: UTF8.self) }
    var address: UInt { unsafe UInt(raw.address) }
    var isFunction: Bool { unsafe raw.is_function }
    /// Whether its object file alone names it: all that calls it was compiled together with it.
    var isPrivate: Bool { unsafe raw.is_private }
    /// In bytes.
    var size: UInt { unsafe UInt(raw.size) }

    /// The bytes of the name.
    var bytes: UnsafeRawBufferPointer {
      unsafe UnsafeRawBufferPointer(start: raw.name, count: Int(raw.length))
    }

    /// The symbol without the last bytes of its name.
    func dropping(_ count: UInt32) -> Symbol {
      var shorter = unsafe raw
      unsafe shorter.length -= count
      return unsafe Symbol(raw: shorter)
    }

    func hasSameName(as other: Symbol) -> Bool {
      unsafe raw.length == other.raw.length && hasPrefix(other)
    }

    func hasPrefix(_ prefix: Symbol) -> Bool {
      unsafe raw.length >= prefix.raw.length
        && memcmp(raw.name, prefix.raw.name, Int(prefix.raw.length)) == 0
    }

    func hasSuffix(_ suffix: StaticString) -> Bool {
      let count = suffix.utf8CodeUnitCount
      guard unsafe bytes.count >= count, let end = unsafe bytes.baseAddress else { return false }
      return unsafe memcmp(end + bytes.count - count, suffix.utf8Start, count) == 0
    }
  }

  // Never written after `init`.
  private let symbols: UnsafeBufferPointer<wax_process_symbol>
  /// The owner of the symbols, and of their names if these are not the image's own; nil if C has
  /// allocated them.
  private let storage: NamedSymbols?
  /// Whether the image names more symbols than it exports.
  let isComplete: Bool
  /// Whether symbols of the image still tell that other object files of it could see them, which GNU ld drops.
  let keepsVisibility: Bool
  /// Where functions are that the optimiser has removed: one place for all of an object file.
  private let removed: Set<UInt>
  /// The symbols of the context descriptors of types that other modules can see, by address.
  let publicDescriptors: [UInt: String]
  /// The names of symbols that a module has only if it is built for library evolution, or whose
  /// content says so.
  let evolutionSigns: [String]
  /// The symbols in the order of their addresses; made when it is first asked for.
  private let places = Mutex<[UInt32]?>(nil)

  /// The symbols that a loaded image exports, from memory.
  init(exportedBy image: RunningImage) {
    var start: UnsafeMutablePointer<wax_process_symbol>?
    let count = unsafe image.isKept ? wax_process_exported_symbols(image.base, &start) : 0
    unsafe symbols = unsafe UnsafeBufferPointer(start: start, count: count)
    storage = nil
    isComplete = false
    keepsVisibility = false
    removed = []
    var descriptors: [UInt: String] = [:]
    var signs: [String] = []
    for place in unsafe symbols.indices {
      let symbol = unsafe Symbol(raw: symbols[place])
      if symbol.hasSuffix("Mn") { descriptors[symbol.address] = symbol.name }
      if unsafe NamedSymbols.isEvolutionSign(symbol.bytes) { signs.append(symbol.name) }
    }
    (publicDescriptors, evolutionSigns) = (descriptors, signs)
  }

  /// All symbols of an image from its file, including private ones; only its exported symbols if it
  /// has no others.
  convenience init(allOf image: RunningImage) {
    guard image.isKept, let elf = try? ElfImage(symbolsOf: image.path),
      elf.hasSymbols(in: .complete)
    else {
      self.init(exportedBy: image)
      return
    }
    self.init(elf, base: image.base)
  }

  /// All symbols of an image that has them. A damaged image has none.
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
    unsafe symbols = unsafe found.sorted()
    storage = found
    self.isComplete = isComplete
    keepsVisibility = found.keepsVisibility
    removed = found.removed
    publicDescriptors = found.publicDescriptors
    evolutionSigns = found.evolutionSigns
  }

  deinit {
    if storage == nil { unsafe free(UnsafeMutableRawPointer(mutating: symbols.baseAddress)) }
  }

  /// The symbols that begin with `prefix`, in order.
  func symbols(prefix: String) -> some Sequence<Symbol> {
    let prefix = Array(prefix.utf8)
    return (lowerBound(prefix)..<count).lazy.map { self[$0] }
      .prefix { unsafe $0.bytes.starts(with: prefix) }
  }

  var count: Int { unsafe symbols.count }

  subscript(index: Int) -> Symbol { unsafe Symbol(raw: symbols[index]) }

  /// Where the symbol of this name is; nil if the image has none.
  func address(of name: String) -> UInt? {
    let wanted = Array(name.utf8)
    let index = lowerBound(wanted)
    guard unsafe index < symbols.count, unsafe symbols[index].length == wanted.count,
      unsafe memcmp(symbols[index].name, wanted, wanted.count) == 0
    else { return nil }
    return unsafe UInt(symbols[index].address)
  }

  /// The names of the symbols at an address, in the order of the names.
  func names(at address: UInt) -> [String] { symbols(at: address).map(\.name) }

  /// The symbols at an address, in the order of their names.
  func symbols(at address: UInt) -> [Symbol] {
    let order = byAddress
    let place = count(in: order, before: address)
    return order[place...].prefix { self[Int($0)].address == address }.map { self[Int($0)] }
  }

  /// The address of the next symbol after this address; nil if there is none.
  func next(after address: UInt) -> UInt? {
    let order = byAddress
    let place = count(in: order, before: address &+ 1)
    return place < order.count ? self[Int(order[place])].address : nil
  }

  /// The address of the last symbol that is not after this address; nil if there is none.
  func last(upTo address: UInt) -> UInt? {
    let order = byAddress
    let place = count(in: order, before: address &+ 1)
    return place > 0 ? self[Int(order[place - 1])].address : nil
  }

  /// The places of all symbols in the order of their addresses; those of one address in the order of their names.
  private var byAddress: [UInt32] {
    places.withLock { places in
      if let places { return places }
      let sorted = (0..<UInt32(count)).sorted {
        let (first, second) = (self[Int($0)].address, self[Int($1)].address)
        return first == second ? $0 < $1 : first < second
      }
      places = sorted
      return sorted
    }
  }

  /// How many of the symbols, in the order of their addresses, are before an address.
  private func count(in order: [UInt32], before address: UInt) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if self[Int(order[middle])].address < address { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether the function there is one that ends the program when it is called.
  func isRemoved(_ address: UInt) -> Bool { removed.contains(address) }

  /// All symbols that end in `suffix`.
  func symbols(suffix: StaticString) -> [Symbol] {
    unsafe symbols.lazy.map(Symbol.init).filter { $0.hasSuffix(suffix) }
  }

  /// All symbols whose names' bytes are wanted.
  func symbols(where isWanted: (UnsafeRawBufferPointer) -> Bool) -> [Symbol] {
    unsafe symbols.lazy.map(Symbol.init).filter { unsafe isWanted($0.bytes) }
  }

  /// The first symbol that is not before `name`, in the order of bytes.
  private func lowerBound(_ name: [UInt8]) -> Int {
    var low = 0
    var high = unsafe symbols.count
    while low < high {
      let middle = (low + high) / 2
      let symbol = unsafe symbols[middle]
      let order = unsafe memcmp(symbol.name, name, min(Int(symbol.length), name.count))
      if unsafe order < 0 || (order == 0 && Int(symbol.length) < name.count) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

/// Symbols that are read from a file, with names of their own. Safe: all memory is its own, and as
/// large as its contents.
@safe
private final class NamedSymbols {
  private static let deadMethod: StaticString = "_swift_dead_method_stub"

  private(set) var removed: Set<UInt> = []
  private(set) var keepsVisibility = false
  private(set) var publicDescriptors: [UInt: String] = [:]
  private(set) var evolutionSigns: [String] = []
  private let base: UInt
  // Unchecked: used by one thread, before anybody else knows of it.
  @exclusivity(unchecked) private var names = GrowingMemory<CChar>()
  /// The symbols, which have the offsets at which their names begin instead of pointers to the
  /// names.
  @exclusivity(unchecked) private var symbols = unsafe GrowingMemory<wax_process_symbol>()

  init(base: UInt) {
    self.base = base
  }

  deinit {
    unsafe names.free()
    unsafe symbols.free()
  }

  func add(_ elf: ElfImage, _ table: ElfSymbolTable) throws(ElfError) {
    try unsafe elf.forEachSymbol(in: table) { name, entry in unsafe add(name, entry) }
  }

  @inline(__always)
  private func add(_ name: UnsafeRawBufferPointer, _ entry: ElfSymbol.Entry) {
    guard name.count > 2, let bytes = name.baseAddress else { return }
    guard unsafe name[0] == UInt8(ascii: "$"), unsafe name[1] == UInt8(ascii: "s"), entry.isDefined
    else {
      if name.count == Self.deadMethod.utf8CodeUnitCount,
        unsafe memcmp(bytes, Self.deadMethod.utf8Start, name.count) == 0
      {
        removed.insert(base &+ UInt(entry.value))
      }
      return
    }
    if unsafe name[name.count - 2] == UInt8(ascii: "M"), !entry.isLocal,
      unsafe name[name.count - 1] == UInt8(ascii: "n")
    {
      publicDescriptors[base &+ UInt(entry.value)] = unsafe String(decoding: name, as: UTF8.self)
    } else if unsafe Self.isEvolutionSign(name) {
      evolutionSigns.append(unsafe String(decoding: name, as: UTF8.self))
    }
    if entry.isLocal, !entry.isPrivate { keepsVisibility = true }
    let start = unsafe names.count
    let text = unsafe names.add(name.count + 1)
    unsafe memcpy(text, bytes, name.count)
    unsafe text[name.count] = 0
    unsafe symbols.add(1).initialize(
      to: wax_process_symbol(
        name: UnsafePointer(bitPattern: start + 1), length: UInt32(name.count),
        is_function: entry.kind == .function, is_private: entry.isPrivate,
        address: base &+ UInt(entry.value), size: UInt32(truncatingIfNeeded: entry.size)))
  }

  /// Whether a name is that of an enum case (`WC`), of a dispatch thunk of a class or protocol
  /// (`Tj`), or of a property's description (`MV`), whose content says whether the property may be
  /// changed to a computed one.
  static func isEvolutionSign(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.count > 4 else { return false }
    return switch unsafe (name[name.count - 2], name[name.count - 1]) {
    case (UInt8(ascii: "W"), UInt8(ascii: "C")), (UInt8(ascii: "T"), UInt8(ascii: "j")),
      (UInt8(ascii: "M"), UInt8(ascii: "V")):
      true
    default: false
    }
  }

  /// The sorted symbols. To be called once.
  func sorted() -> UnsafeBufferPointer<wax_process_symbol> {
    guard let start = unsafe symbols.start, let text = unsafe names.start else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    for index in unsafe 0..<symbols.count {
      unsafe start[index].name = unsafe UnsafePointer(
        text + (Int(bitPattern: start[index].name) - 1))
    }
    unsafe wax_process_symbols_sort(start, symbols.count)
    return unsafe UnsafeBufferPointer(start: start, count: symbols.count)
  }
}

/// Memory that grows, and is not initialized.
/// Safe: its owner frees it, once.
@safe
private struct GrowingMemory<Element: BitwiseCopyable> {
  private(set) var start: UnsafeMutablePointer<Element>?
  private(set) var count = 0
  private var capacity = 0

  /// Makes room for this number of further elements at the end.
  @inline(__always)
  mutating func add(_ more: Int) -> UnsafeMutablePointer<Element> {
    if count + more > capacity { grow(more) }
    guard let start = unsafe start else { preconditionFailure("it has just grown") }
    defer { count += more }
    return unsafe start + count
  }

  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more, 1024)
    guard let grown = unsafe realloc(start, capacity * MemoryLayout<Element>.stride) else {
      fatalError("no memory for the names of functions")
    }
    unsafe start = unsafe grown.bindMemory(to: Element.self, capacity: capacity)
  }

  func free() { unsafe Glibc.free(start) }
}
