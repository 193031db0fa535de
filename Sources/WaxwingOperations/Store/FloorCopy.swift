// SPDX-License-Identifier: MIT

internal import Glibc
package import WaxwingPatches

/// The floors in a second place: a file beside the program's folder. Removing the folder does not
/// bring back old patches.
package struct FloorCopy: Sendable {
  /// The contents of the copy.
  package struct Contents: Hashable, Sendable {
    /// The highest serial number that was accepted.
    package var floors: [FloorKey: Int]
    /// The latest time of day that was seen.
    package var lastSeen: Int

    package init(floors: [FloorKey: Int] = [:], lastSeen: Int = 0) {
      self.floors = floors
      self.lastSeen = lastSeen
    }

    /// The higher value of each entry in both.
    package func merged(with other: Contents) -> Contents {
      Contents(
        floors: floors.merging(other.floors, uniquingKeysWith: max),
        lastSeen: max(lastSeen, other.lastSeen))
    }
  }

  private let folder: StoreFolder
  private let name: String
  package var path: String { "\(folder.path)/\(name)" }

  /// The copy of a program.
  /// - Parameter base: The folder that the program's folder is in.
  /// - Returns: nil if that is not there and is not to be made.
  package init?(
    _ base: String, program: String, creating: Bool, calls: StoreCalls = .real
  ) throws(StoreError) {
    guard let folder = try StoreFolder.at(base, creating: creating, calls: calls) else {
      return nil
    }
    self.folder = folder
    name = "\(program).floors"
  }

  /// Whether this user may write it: the folder may be root's, and only the program's folder in it ours.
  package var canBeWritten: Bool {
    unsafe faccessat(folder.descriptor, ".", W_OK, AT_EACCESS) == 0
  }

  /// - Returns: nil if it is not there.
  /// - Throws: If it cannot be read, or is not what was written.
  package func read() throws(StoreError) -> Contents? {
    guard let bytes = try folder.read(name, atMost: StoreSizes.document) else { return nil }
    if let newer = StoreText.newerFormat(bytes, of: "waxwing-floors", than: Contents.format) {
      throw StoreError(
        .newer, path: path, message: "\(path) has format \(newer), of a newer engine",
        remedy: "run the newer program again, or move the file away")
    }
    do throws(StoreTextError) { return try Contents(bytes) } catch {
      throw StoreError(
        .damaged, path: path, message: "\(path):\(error.line): \(error.message)",
        remedy: "`waxwing store rebuild` recreates it from the audit log")
    }
  }

  /// Runs `body` while no other instance of the program changes the copy, as far as that can be had: who
  /// may read the folder could hold its lock for ever, and is not to keep patches from being applied.
  package func exclusively<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    var attempts = 100
    while flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0, attempts > 0 {
      attempts -= 1
      usleep(10_000)
    }
    defer { flock(folder.descriptor, LOCK_UN) }
    try body()
  }

  /// Puts it onto the disk. If it throws, the old one is there, or the new one, which is no lower.
  package func write(_ contents: Contents) throws(StoreError) {
    let bytes = contents.bytes
    guard bytes.count <= StoreSizes.document else {
      throw StoreError(
        .full, path: path, message: "\(path) would be too large",
        remedy:
          "it has a line for each key that has ever signed a patch for this program: use fewer")
    }
    try folder.replace(name, with: bytes, undoes: false)
    // What dead processes have left.
    for file in folder.names() where file.hasPrefix("\(name).tmp.") { try? folder.remove(file) }
  }
}

extension FloorCopy.Contents {
  /// The newest format that is read, and the one that is written.
  static let format = 1

  /// As the file has it:
  ///
  ///     waxwing-floors 1
  ///     last-seen 1790000000
  ///     floor SERIAL PROGRAM KEY
  ///     sha256 …
  package var bytes: [UInt8] {
    let text = StoreText.escaped
    let head = ["waxwing-floors \(Self.format)", "last-seen \(lastSeen)"]
    return StoreText.sealed(
      head
        + floors.sorted { $0.key < $1.key }.map {
          "floor \($0.value) \(text($0.key.program)) \(text($0.key.key))"
        })
  }

  /// - Throws: If the bytes have another form than those that are written.
  package init(_ bytes: [UInt8]) throws(StoreTextError) {
    self.init()
    for (index, words) in try StoreText.lines(bytes).enumerated() {
      var line = StoreLine(words.dropFirst(), number: index + 1)
      switch (index, words[0]) {
      case (0, "waxwing-floors"): guard try line.count() == Self.format else { throw line.failure }
      case (1, "last-seen"): lastSeen = try line.count()
      case (2..., "floor"):
        let serial = try line.count()
        let program = try line.text()
        floors[FloorKey(program: program, key: try line.text())] = serial
      default: throw line.failure
      }
      try line.end()
    }
    guard self.bytes == bytes else { throw StoreTextError(1, "its lines are in another order") }
  }
}
