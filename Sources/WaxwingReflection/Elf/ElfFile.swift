// SPDX-License-Identifier: MIT

import Glibc

/// Reads whole files. An image is copied rather than mapped: a mapped file that shrinks while it is
/// read ends the process with SIGBUS.
enum ElfFile {
  private static let largestSize = 4 << 30

  static func bytes(path: String) throws(ElfError) -> [UInt8] {
    let (descriptor, size) = try opened(path)
    defer { close(descriptor) }
    return try contents(of: descriptor, size: size, path: path)
  }

  /// The bytes of the headers, symbols, strings and notes, each at its place in the file. The rest,
  /// which is most of a program with debugging information, is not read and must not be looked at.
  static func symbolBytes(path: String) throws(ElfError) -> [UInt8] {
    try parts(path: path) { $0.readSymbols() }
  }

  /// Reads the headers, the sections of these names, and these units of `.debug_info`.
  static func debugBytes(
    path: String, sections: Set<String>, units: Set<Int>
  ) throws(ElfError) -> [UInt8] {
    try parts(path: path) { $0.readDebugInformation(sections, units: units) }
  }

  private static func parts(
    path: String, _ body: (inout ElfParts) -> Void
  ) throws(ElfError) -> [UInt8] {
    let (descriptor, size) = try opened(path)
    defer { close(descriptor) }
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let part = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<size])
      var parts = unsafe ElfParts(descriptor, UnsafeMutableRawBufferPointer(part))
      body(&parts)
      failure = parts.failure
      count = size
    }
    guard failure == 0 else { throw readError(failure, path: path) }
    return bytes
  }

  /// A regular file that is open, and its size.
  private static func opened(_ path: String) throws(ElfError) -> (descriptor: Int32, size: Int) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw openError(errno, path: path) }
    do throws(ElfError) {
      return (descriptor, try size(of: descriptor, path))
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func size(of descriptor: Int32, _ path: String) throws(ElfError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw readError(errno, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ElfError(
        .unreadable, "'\(path)' is not a regular file", remedy: "name the program's binary")
    }
    guard status.st_size <= largestSize else {
      throw ElfError(.unreadable, "'\(path)' is over 4 GiB", remedy: "strip its debug information")
    }
    return Int(status.st_size)
  }

  private static func contents(
    of descriptor: Int32, size: Int, path: String
  ) throws(ElfError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        // `count` is below `size`, the capacity asked for, so the pointer stays in the buffer.
        let got = unsafe read(
          descriptor, buffer.baseAddress.map { unsafe $0 + count }, size - count)
        if got < 0 {
          failure = errno
          if failure == EINTR { continue }
          return
        }
        failure = 0
        if got == 0 { return }
        count += got
      }
    }
    guard failure == 0 else { throw readError(failure, path: path) }
    return bytes
  }

  private static func openError(_ code: Int32, path: String) -> ElfError {
    guard code == ENOENT || code == ENOTDIR else { return readError(code, path: path) }
    return ElfError(
      .notFound, "there is no file at '\(path)'", remedy: "check the path", systemError: code)
  }

  private static func readError(_ code: Int32, path: String) -> ElfError {
    let reason = unsafe String(cString: strerror(code))
    return ElfError(
      .unreadable, "'\(path)' cannot be read (\(reason))", remedy: "check its permissions",
      systemError: code)
  }
}
