// SPDX-License-Identifier: MIT

internal import Glibc

/// The files in `Tests/Fuzz/Corpora`.
enum Corpus {
  /// What is in the files of a folder, by name.
  static func files(in folder: String) -> [[UInt8]] {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    let path = parts.joined(separator: "/") + "/Corpora/" + folder
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted().map { contents(of: "\(path)/\($0)") }
  }

  static func contents(of path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = read(file, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }
}
