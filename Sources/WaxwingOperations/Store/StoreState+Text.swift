// SPDX-License-Identifier: MIT

package import WaxwingPatches

/// The document as text:
///
///     waxwing-state 2
///     generation 7
///     build 3f2a9c…
///     last-seen 1790000000
///     active HASH KEPT-AT BUILD NAME
///     good HASH KEPT-AT BUILD NAME
///     strike HASH AT NAME
///     quarantine HASH AT KEPT-AT BUILD NAME REASON
///     crash-loop AT GENERATION BUILD
///     floor SERIAL PROGRAM KEY
///     sha256 …
///
/// Format 1 has no `good`. It is read, and the next document is of format 2.
extension StoreState {
  /// Why a document is not used.
  package enum ReadError: Error, Hashable, Sendable {
    case damaged(StoreTextError)
    /// A newer engine wrote it, in this format.
    case newer(Int)
  }

  package var bytes: [UInt8] { bytes(format: Self.format) }

  /// The bytes of the document in a format, which may be an older one.
  package func bytes(format: Int) -> [UInt8] {
    let text = StoreText.escaped
    var lines = ["waxwing-state \(format)", "generation \(generation)"]
    lines += ["build \(text(build))", "last-seen \(lastSeen)"]
    lines += active.map { "active \($0.words)" }
    lines += good.map { "good \($0.words)" }
    lines += strikes.map { "strike \($0.hash.hex) \($0.at) \(text($0.name))" }
    lines += quarantine.map { entry in
      let patch = entry.patch
      return "quarantine \(patch.hash.hex) \(entry.at) \(patch.keptAt) \(text(patch.build)) "
        + "\(text(patch.name)) \(text(entry.reason))"
    }
    if let loop = crashLoop {
      lines.append("crash-loop \(loop.at) \(loop.generation) \(text(loop.build))")
    }
    lines += floors.sorted { $0.key < $1.key }.map {
      "floor \($0.value) \(text($0.key.program)) \(text($0.key.key))"
    }
    return StoreText.sealed(lines)
  }

  package init(_ bytes: [UInt8]) throws(ReadError) {
    // A newer format may have another seal: its first line counts.
    if let format = Self.newerFormat(bytes) { throw .newer(format) }
    do throws(StoreTextError) { try self.init(sealed: bytes) } catch { throw .damaged(error) }
  }

  /// The format that a document's beginning names, if it is a newer one.
  static func newerFormat(_ bytes: [UInt8]) -> Int? {
    StoreText.newerFormat(bytes, of: "waxwing-state", than: format)
  }

  private init(sealed bytes: [UInt8]) throws(StoreTextError) {
    self.init()
    var format = Self.format
    let lines = try StoreText.lines(bytes)
    for (index, words) in lines.enumerated() {
      var line = StoreLine(words.dropFirst(), number: index + 1)
      guard (index == 0) == (words[0] == "waxwing-state") else { throw line.failure }
      switch words[0] {
      case "waxwing-state":
        format = try line.count()
        guard (1...Self.format).contains(format) else { throw line.failure }
      case "generation": generation = try line.count()
      case "build": build = try line.text()
      case "last-seen": lastSeen = try line.count()
      case "active": active.append(try line.patch())
      case "good" where format > 1: good.append(try line.patch())
      case "strike": strikes.append(try line.strike())
      case "quarantine": quarantine.append(try line.quarantined())
      case "crash-loop":
        let (at, generation) = (try line.count(), try line.count())
        crashLoop = CrashLoop(build: try line.text(), generation: generation, at: at)
      case "floor":
        let serial = try line.count()
        let program = try line.text()
        floors[FloorKey(program: program, key: try line.text())] = serial
      default: throw StoreTextError(index + 1, "'\(words[0])' is not known")
      }
      try line.end()
    }
    // What a text editor changed, and sealed again, may say a thing twice.
    guard self.bytes(format: format) == bytes else {
      throw StoreTextError(1, "its lines are in another order")
    }
  }
}

extension KeptPatch {
  fileprivate var words: String {
    "\(hash.hex) \(keptAt) \(StoreText.escaped(build)) \(StoreText.escaped(name))"
  }
}

/// The words of a line, taken one after the other.
struct StoreLine {
  private var words: ArraySlice<Substring>
  private let number: Int

  init(_ words: ArraySlice<Substring>, number: Int) {
    self.words = words
    self.number = number
  }

  var failure: StoreTextError { StoreTextError(number, "the line is malformed") }

  mutating func count() throws(StoreTextError) -> Int {
    guard let word = words.popFirst(), let count = StoreText.count(word) else { throw failure }
    return count
  }

  mutating func text() throws(StoreTextError) -> String {
    guard let word = words.popFirst(), let text = StoreText.unescaped(word) else { throw failure }
    return text
  }

  mutating func hash() throws(StoreTextError) -> ContentHash {
    guard let word = words.popFirst(), let hash = ContentHash(word) else { throw failure }
    return hash
  }

  mutating func end() throws(StoreTextError) {
    guard words.isEmpty else { throw failure }
  }

  mutating func patch() throws(StoreTextError) -> KeptPatch {
    let (hash, keptAt) = (try hash(), try count())
    let build = try text()
    return KeptPatch(hash: hash, name: try text(), build: build, keptAt: keptAt)
  }

  mutating func strike() throws(StoreTextError) -> Strike {
    let (hash, at) = (try hash(), try count())
    return Strike(hash: hash, name: try text(), at: at)
  }

  mutating func quarantined() throws(StoreTextError) -> QuarantinedPatch {
    let (hash, at, keptAt) = (try hash(), try count(), try count())
    let (build, name) = (try text(), try text())
    let patch = KeptPatch(hash: hash, name: name, build: build, keptAt: keptAt)
    return QuarantinedPatch(patch: patch, at: at, reason: try text())
  }
}
