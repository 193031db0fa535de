// SPDX-License-Identifier: MIT

internal import Synchronization

/// Reads the facts about an image that were written down where it was built. Nil: there are none for the
/// file at this path with this build id.
package typealias FactsReader = @Sendable (_ path: String, _ buildID: String) -> WrittenFacts?

/// The facts about an image's functions that were written down where it was built, by symbol.
package struct WrittenFacts: Hashable, Sendable {
  /// How methods and accessors use `self`.
  package let selfKinds: [String: SelfKind]
  /// The default values of parameters as the source has them, by the parameter's index: `[:]`, `.ok`.
  package let defaults: [String: [Int: String]]

  package init(selfKinds: [String: SelfKind], defaults: [String: [Int: String]] = [:]) {
    self.selfKinds = selfKinds
    self.defaults = defaults
  }
}

/// The facts about an image's functions that neither symbols nor machine code tell.
///
/// Nothing is read until it is asked for: first the facts that were written down, and for what these do
/// not have the image's debugging information.
final class ImageFacts: Sendable {
  private struct State {
    /// The facts that were written down; nil if they were not read yet, `.some(nil)` if there are
    /// none.
    var written: WrittenFacts??
    var described: [String: SelfKind]?
    /// The facts of functions that are no patch points.
    var called = CallFacts()
    /// All closures by symbol; nil if they were not read yet.
    var closures: [String: DescribedClosure]?
    /// Closures that were asked for one by one; `.some(nil)` if nothing tells of one.
    var closure: [String: DescribedClosure?] = [:]
    /// The code that debugging information describes, in order; nil if that was not read yet.
    var units: [CodeUnit]?
    /// What units that were read tell of code, by its address in the image.
    var descriptions: [UInt64: CodeDescription] = [:]
    var describedUnits: Set<Int> = []
  }

  /// The facts from units of debugging information that were read for functions that are only
  /// called.
  private struct CallFacts {
    var kinds: [String: SelfKind] = [:]
    var asked: Set<String> = []
    var units: Set<Int> = []
  }

  private let image: RunningImage
  private let read: FactsReader
  private let state = Mutex(State())

  init(_ image: RunningImage, _ read: @escaping FactsReader) {
    self.image = image
    self.read = read
  }

  /// How the method or accessor uses `self`; nil if nothing tells.
  func selfKind(of symbol: String) -> SelfKind? {
    written?.selfKinds[symbol] ?? described[symbol]
  }

  /// Whether facts were written down.
  var areWritten: Bool { written != nil }

  /// The default values of the function's parameters as the source has them, by index.
  func defaults(of symbol: String) -> [Int: String] { written?.defaults[symbol] ?? [:] }

  /// The kind of `self` of a function that is no patch point, such as those of the libraries that
  /// the image is linked from.
  func selfKind(ofCalled symbol: String) -> SelfKind? {
    if let kind = written?.selfKinds[symbol] { return kind }
    var called = state.withLock { $0.called }
    if let kind = called.kinds[symbol] { return kind }
    guard !called.asked.contains(symbol) else { return nil }
    let found = DebugInformation.selfKinds(
      at: image.path, besides: symbol, leavingOut: &called.units)
    state.withLock { state in
      state.called.kinds.merge(found) { first, _ in first }
      state.called.asked.insert(symbol)
      state.called.units.formUnion(called.units)
    }
    return found[symbol] ?? state.withLock { $0.called.kinds[symbol] }
  }

  /// Whether code at an address was compiled without optimisation, as debugging information tells.
  func isUnoptimized(codeAt address: UInt) -> Bool { unit(ofCodeAt: address)?.isOptimized == false }

  /// How the function whose code begins at an address uses `self`, as its description tells.
  func selfKind(of symbol: String, codeAt address: UInt) -> SelfKind? {
    written?.selfKinds[symbol] ?? description(ofCodeAt: address)?.selfKind
  }

  /// What debugging information tells of the function whose code begins at an address: one description is of that very
  /// code, whatever other units say of functions with the same symbol.
  func description(ofCodeAt address: UInt) -> CodeDescription? {
    guard let unit = unit(ofCodeAt: address) else { return nil }
    if !state.withLock({ $0.describedUnits.contains(unit.start) }) { describe([unit.start]) }
    return state.withLock { $0.descriptions[UInt64(address &- image.base)] }
  }

  /// Reads what debugging information tells of functions at these addresses, all at once.
  func describe(codeAt addresses: [UInt]) {
    let wanted = Set(addresses.compactMap { unit(ofCodeAt: $0)?.start })
    let new = wanted.subtracting(state.withLock { $0.describedUnits })
    if !new.isEmpty { describe(new) }
  }

  private func describe(_ units: Set<Int>) {
    let found = DebugInformation.descriptions(at: image.path, units: units)
    state.withLock { state in
      state.descriptions.merge(found) { first, _ in first }
      state.describedUnits.formUnion(units)
    }
  }

  private func unit(ofCodeAt address: UInt) -> CodeUnit? {
    let (units, place) = (units, UInt64(address &- image.base))
    var (low, high) = (0, units.count)
    while low < high {
      let middle = (low + high) / 2
      if units[middle].code.lowerBound <= place { low = middle + 1 } else { high = middle }
    }
    guard low > 0, units[low - 1].code.contains(place) else { return nil }
    return units[low - 1]
  }

  /// What debugging information tells of a closure.
  func closure(_ symbol: String) -> DescribedClosure? {
    let (all, one) = state.withLock { ($0.closures, $0.closure[symbol]) }
    // Most of a large program's closures are not described: that is known, too.
    if let all { return all[symbol] }
    if case .some(let known) = one { return known }
    let found = DebugInformation.closure(symbol: symbol, at: image.path) ?? closures[symbol]
    state.withLock { $0.closure[symbol] = .some(found) }
    return found
  }

  /// What debugging information tells of all closures, by symbol.
  var closures: [String: DescribedClosure] {
    if let known = state.withLock({ $0.closures }) { return known }
    let found = (try? ElfImage(path: image.path)).map { DebugInformation.closures(of: $0) } ?? [:]
    state.withLock { $0.closures = found }
    return found
  }

  // Read without the lock: the reader tells the host of what it does not take. Where two threads come at
  // once both read, and one result stays.

  private var written: WrittenFacts? {
    if let known = state.withLock({ $0.written }) { return known }
    let buildID = (try? ElfImage(symbolsOf: image.path))?.buildID
    let found = buildID.flatMap { read(image.file, $0) }
    return state.withLock { state in
      if let known = state.written { return known }
      state.written = .some(found)
      return found
    }
  }

  private var units: [CodeUnit] {
    if let known = state.withLock({ $0.units }) { return known }
    let found = (try? ElfImage(path: image.path)).map(DebugInformation.codeUnits) ?? []
    state.withLock { $0.units = found }
    return found
  }

  private var described: [String: SelfKind] {
    if let known = state.withLock({ $0.described }) { return known }
    let found = (try? ElfImage(path: image.path)).map { DebugInformation.selfKinds(of: $0) } ?? [:]
    state.withLock { $0.described = found }
    return found
  }
}

/// The facts of all images, one object for each.
final class FactsCatalog: Sendable {
  private let read: FactsReader
  private let known = Mutex<[RunningImage: ImageFacts]>([:])

  init(_ read: @escaping FactsReader) {
    self.read = read
  }

  /// Nil for the system's, which have no patch points.
  subscript(image: RunningImage) -> ImageFacts? {
    if image.isSystem { return nil }
    return known.withLock { known in
      if let facts = known[image] { return facts }
      let facts = ImageFacts(image, read)
      known[image] = facts
      return facts
    }
  }
}
