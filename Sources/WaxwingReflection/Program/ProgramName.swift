// SPDX-License-Identifier: MIT

internal import Glibc

/// The name of the program that this code runs in.
package enum ProgramName {
  /// The last part of the path that the program was started from.
  package static var current: String {
    guard let file else { return "unknown" }
    return file.split(separator: "/").last.map(String.init) ?? file
  }

  /// The path that the program was started from; nil if the kernel does not say.
  static var file: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The kernel says so of a program whose file has been replaced or removed.
    return path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : path
  }
}
