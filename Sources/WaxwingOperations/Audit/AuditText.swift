// SPDX-License-Identifier: MIT

internal import Glibc
internal import WaxwingPatches
internal import WaxwingSystem

/// The lines of an audit log, for those who read it.
package enum AuditText {
  /// The largest file that is read at once.
  static let sizeLimit = 256 << 20

  /// Reads the whole file.
  package static func read(_ path: String) throws(AuditError) -> [UInt8] {
    let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw failure(path, errno) }
    defer { close(file) }
    let bytes: [UInt8]
    do throws(ErrorNumber) {
      bytes = try SystemCall.readAll(file, limit: sizeLimit)
    } catch {
      throw failure(path, error.value)
    }
    guard bytes.count <= sizeLimit else {
      throw AuditError(
        "\(path) has more than \(PatchSizes.text(sizeLimit))", remedy: "split it at line ends")
    }
    return bytes
  }

  /// The last lines of a file that are records, oldest first.
  package static func lastLines(_ count: Int, of path: String) throws(AuditError) -> [String] {
    let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw failure(path, errno) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw failure(path, errno) }
    let size = min(Int(status.st_size), 1 << 20)
    var bytes = [UInt8](repeating: 0, count: size)
    let result = unsafe pread(file, &bytes, size, Int(status.st_size) - size)
    guard result >= 0 else { throw failure(path, errno) }
    let lines = bytes.prefix(result).split(separator: 0x0a).filter { AuditLink(line: $0) != nil }
    return lines.suffix(count).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func failure(_ path: String, _ number: Int32) -> AuditError {
    AuditError(
      unsafe "the audit log \(path) cannot be read: \(String(cString: strerror(number)))",
      remedy: number == ENOENT ? "check the path" : "run waxwing as the program's user or as root")
  }
}
