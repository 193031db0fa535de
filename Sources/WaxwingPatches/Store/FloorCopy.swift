// SPDX-License-Identifier: MIT

internal import Glibc

/// What may not go back, in a second place: a file beside the program's folder. Who removes the folder
/// does not bring back old patches.
package struct FloorCopy: Sendable {
  /// What is in it.
  package struct Contents: Hashable, Sendable {
    /// The highest serial number that was accepted.
    package var floors: [FloorKey: Int]
    /// The latest time of day that was seen.
    package var lastSeen: Int

    package init(floors: [FloorKey: Int] = [:], lastSeen: Int = 0) {
      self.floors = floors
      self.lastSeen = lastSeen
    }

    /// Of each the higher one.
    package func merged(with other: Contents) -> Contents {
      Contents(
        floors: floors.merging(other.floors, uniquingKeysWith: max),
        lastSeen: max(lastSeen, other.lastSeen))
    }
  }

  private static let format = 1

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
    faccessat(folder.descriptor, ".", W_OK, AT_EACCESS) == 0
  }

  /// - Returns: nil if it is not there.
  /// - Throws: If it cannot be read, or is not what was written.
  package func read() throws(StoreError) -> Contents? {
    guard let bytes = try folder.read(name, atMost: StoreSizes.document) else { return nil }
    if let newer = StoreText.newerFormat(bytes, of: "waxwing-floors", than: Self.format) {
      throw StoreError(
        .newer, path: path, message: "\(path) has format \(newer), of a newer engine",
        remedy: "run the newer program again, or move the file away")
    }
    do throws(StoreTextError) { return try Self.contents(bytes) } catch {
      throw StoreError(
        .damaged, path: path, message: "\(path):\(error.line): \(error.message)",
        remedy: "`waxwing store rebuild` writes it anew from the audit log")
    }
  }

  /// Puts it onto the disk. If it throws, the old one is there, or the new one, which is no lower.
  package func write(_ contents: Contents) throws(StoreError) {
    let lines =
      ["waxwing-floors \(Self.format)", "last-seen \(contents.lastSeen)"]
      + contents.floors.sorted { $0.key < $1.key }.map {
        "floor \($0.value) \(StoreText.escaped($0.key.program)) \(StoreText.escaped($0.key.key))"
      }
    let bytes = StoreText.sealed(lines)
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

  private static func contents(_ bytes: [UInt8]) throws(StoreTextError) -> Contents {
    var contents = Contents()
    let lines = try StoreText.lines(bytes)
    guard lines.count > 1 else { throw StoreTextError(1, "it is too short") }
    for (index, words) in lines.enumerated() {
      var line = StoreLine(words.dropFirst(), number: index + 1)
      switch (index, words[0]) {
      case (0, "waxwing-floors"): guard try line.count() == format else { throw line.failure }
      case (1, "last-seen"): contents.lastSeen = try line.count()
      case (2..., "floor"):
        let serial = try line.count()
        let program = try line.text()
        contents.floors[FloorKey(program: program, key: try line.text())] = serial
      default: throw line.failure
      }
      try line.end()
    }
    return contents
  }
}
