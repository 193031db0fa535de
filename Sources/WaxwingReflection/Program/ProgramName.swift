// SPDX-License-Identifier: MIT

internal import Glibc

/// The name of the program that this code runs in.
package enum ProgramName {
  /// The last part of the path that the program was started from.
  package static var current: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return "unknown" }
    let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // The kernel says so of a program whose file has been replaced or removed.
    return name.hasSuffix(" (deleted)") ? String(name.dropLast(10)) : name
  }
}
