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
    /// The code that was compiled without optimisation; nil if that was not read yet.
    var unoptimized: [Range<UInt64>]?
    /// All closures by symbol; nil if they were not read yet.
    var closures: [String: DescribedClosure]?
    /// Closures that were asked for one by one; `.some(nil)` if nothing tells of one.
    var closure: [String: DescribedClosure?] = [:]
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
  func isUnoptimized(codeAt address: UInt) -> Bool {
    unoptimized.contains { $0.contains(UInt64(address &- image.base)) }
  }

  /// What debugging information tells of a closure.
  func closure(_ symbol: String) -> DescribedClosure? {
    if let known = state.withLock({ $0.closures.map { $0[symbol] } ?? $0.closure[symbol] }) {
      return known
    }
    let found = DebugInformation.closure(symbol: symbol, at: image.path)
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

  private var unoptimized: [Range<UInt64>] {
    if let known = state.withLock({ $0.unoptimized }) { return known }
    let found = (try? ElfImage(path: image.path)).map(DebugInformation.unoptimizedCode) ?? []
    state.withLock { $0.unoptimized = found }
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
