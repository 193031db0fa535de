// SPDX-License-Identifier: MIT

import Glibc
package import WaxwingControl
import WaxwingSystem

/// The files that are loaded into a process, as the kernel lists them (proc(5), maps).
package enum LoadedFiles {
  /// - Parameter process: Its ID, or `self`.
  package static func images(ofProcess process: String) -> [ProgramImage] {
    let descriptor = unsafe open("/proc/\(process)/maps", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    guard let bytes = try? SystemCall.readAll(descriptor) else { return [] }
    let maps = String(decoding: bytes, as: UTF8.self)
    var images: [String: ProgramImage] = [:]
    for line in maps.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      // The path is behind a column of spaces, and may have some of its own.
      let path = String(fields.last?.drop { $0 == " " } ?? "")
      guard fields.count == 6, path.hasPrefix("/"), Int(fields[2], radix: 16) == 0,
        let start = fields[0].split(separator: "-").first.flatMap({ UInt($0, radix: 16) })
      else { continue }
      if images[path] == nil { images[path] = ProgramImage(path: path, base: start) }
    }
    return Array(images.values)
  }
}
