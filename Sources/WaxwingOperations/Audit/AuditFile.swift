// SPDX-License-Identifier: MIT

internal import Glibc
import WaxwingDeclarations
internal import WaxwingPatches
internal import WaxwingSystem

/// An audit log: a file to which lines are added and in which none is changed.
///
/// The file is opened for each record and locked while it is written. So it may be moved away or
/// removed at any moment, a new one goes on where the old one ended, and several processes of one
/// program write one chain.
package struct AuditFile: Sendable {
  /// The number and hash of the last record.
  package struct Head: Hashable, Sendable {
    /// The number of the last record; 0 if there is none.
    package var number = 0
    /// The hash of its line.
    package var hash = AuditLink.none

    /// Creates the head of an empty log.
    init() {}
  }

  /// The path of the file.
  let path: String
  /// The last record that was written or found here.
  package private(set) var head = Head()

  /// The number of bytes that are read at the file's end, which is more than the longest line.
  private static let tailSize = 512 * 1024
  private static let lockAttempts = 100

  /// Creates the file's description without opening the file.
  package init(path: String) { self.path = path }

  /// Makes the file if it is not there, and finds its last record.
  package mutating func open() throws(AuditError) {
    let file = try openFile()
    defer { close(file) }
    try lock(file)
    head = later(try tail(of: file).head)
  }

  /// Adds a record, which is on the disk when this returns. If it throws, none was added.
  package mutating func append(_ record: AuditRecord, time: String) throws(AuditError) {
    let file = try openFile()
    defer { close(file) }
    try lock(file)
    let tail = try tail(of: file)
    var next = later(tail.head)
    var bytes: [UInt8] = tail.endsInLine ? [] : [0x0a]
    if !tail.torn.isEmpty { add(tornRecord(tail.torn, next, time), to: &bytes, &next) }
    let line = record.line(
      number: next.number + 1, time: time, pid: getpid(), previous: next.hash)
    add(line, to: &bytes, &next)
    try write(bytes, to: file, size: tail.size)
    head = next
  }

  /// The later of two heads. Records of a file from which the chain has moved on, as after a cut,
  /// do not count: the next line then shows the gap.
  private func later(_ found: Head) -> Head { found.number > head.number ? found : head }

  private func add(_ line: String, to bytes: inout [UInt8], _ head: inout Head) {
    bytes += Array(line.utf8) + [0x0a]
    head.number += 1
    head.hash = ContentHash(of: Array(line.utf8)).hex
  }

  /// Says what the half line is that a crash has left.
  private func tornRecord(_ torn: [UInt8], _ head: Head, _ time: String) -> String {
    var line = JSONLine()
    line.add("n", head.number + 1)
    line.add("time", time)
    line.add("event", "audit.torn")
    line.add("verdict", "found")
    line.add("by", "program")
    line.add("bytes", torn.count)
    line.add("torn", ContentHash(of: torn).hex)
    line.add("reason", "the line before this one is incomplete")
    line.add("prev", head.hash)
    return line.object
  }
}

// MARK: - The file

extension AuditFile {
  private func openFile() throws(AuditError) -> Int32 {
    let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = unsafe Glibc.open(path, flags, 0o640)
    guard file >= 0 else { throw failure("cannot be opened", errno) }
    do throws(AuditError) {
      try checkFolder()
      try check(file)
    } catch {
      close(file)
      throw error
    }
    return file
  }

  /// Whoever may write the folder may put another file in the place of this one.
  private func checkFolder() throws(AuditError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var status = stat()
    guard unsafe stat(folder, &status) == 0 else {
      throw failure("is in a folder that cannot be examined", errno)
    }
    func unsafe(_ what: String) -> AuditError {
      AuditError(
        "the folder \(folder) of the audit log \(what)",
        remedy: "chmod go-w \(folder), or name another folder for the log")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw unsafe("belongs to another user (uid \(status.st_uid))")
    }
    // In a sticky folder, such as /tmp, nobody removes what is others'.
    guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
      throw unsafe("can be written by other users")
    }
  }

  private func check(_ file: Int32) throws(AuditError) {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw failure("cannot be examined", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw unsafe("is not a file") }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw unsafe("belongs to another user (uid \(status.st_uid))")
    }
    guard status.st_mode & 0o022 == 0 else { throw unsafe("can be written by other users") }
  }

  private func lock(_ file: Int32) throws(AuditError) {
    for _ in 0..<Self.lockAttempts {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      usleep(20_000)
    }
    throw AuditError(
      "the audit log \(path) is held by another process", remedy: "see `fuser \(path)`")
  }

  private struct Tail {
    var size: Int
    var head = Head()
    /// Bytes of a line that was not written to its end.
    var torn: [UInt8] = []
    var endsInLine = true
  }

  private func tail(of file: Int32) throws(AuditError) -> Tail {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw failure("cannot be examined", errno) }
    var tail = Tail(size: Int(status.st_size))
    let bytes = try read(file, from: max(0, tail.size - Self.tailSize), count: tail.size)
    guard let last = bytes.last else { return tail }
    var lines = bytes.split(separator: 0x0a)
    tail.endsInLine = last == 0x0a
    if !tail.endsInLine, let half = lines.last, AuditLink(line: half) == nil {
      tail.torn = Array(half)
      lines.removeLast()
    }
    guard let whole = lines.last else { return tail }
    guard let link = AuditLink(line: whole) else {
      throw AuditError(
        "the last line of \(path) is not a record of an audit log",
        remedy: "see `waxwing audit verify \(path)`; move the file away to start a new one")
    }
    (tail.head.number, tail.head.hash) = (link.number, link.hash)
    return tail
  }

  private func read(_ file: Int32, from start: Int, count: Int) throws(AuditError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min(count, Self.tailSize))
    var filled = 0
    while filled < bytes.count {
      let result = SystemCall.retrying {
        unsafe bytes.withUnsafeMutableBytes {
          unsafe pread(
            file, $0.baseAddress?.advanced(by: filled), $0.count - filled, start + filled)
        }
      }
      switch result {
      case .success(0): return Array(bytes.prefix(filled))
      case .success(let count): filled += count
      case .failure(let number): throw failure("cannot be read", number.value)
      }
    }
    return Array(bytes.prefix(filled))
  }

  /// Writes all of it or, as far as the disk lets it, nothing.
  private func write(_ bytes: [UInt8], to file: Int32, size: Int) throws(AuditError) {
    do throws(ErrorNumber) { try SystemCall.writeAll(bytes[...], to: file) } catch {
      ftruncate(file, size)
      throw failure("cannot be written", error.value)
    }
    // After a failed sync the kernel may have dropped the bytes, and says so once only.
    guard fdatasync(file) == 0 else {
      let reason = errno
      ftruncate(file, size)
      throw failure("cannot be written to the disk", reason)
    }
  }

  private func failure(_ what: String, _ number: Int32) -> AuditError {
    AuditError(
      unsafe "the audit log \(path) \(what): \(String(cString: strerror(number)))",
      remedy: number == ENOSPC
        ? "make room on its disk" : "make it writable for the program's user, or name another place"
    )
  }

  private func unsafe(_ what: String) -> AuditError {
    AuditError(
      "the audit log \(path) \(what)", remedy: "move it away, or name another place for the log")
  }
}
