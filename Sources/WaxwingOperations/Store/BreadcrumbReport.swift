// SPDX-License-Identifier: MIT

internal import CWaxwingProcess

/// The patches that the threads of a run that is over were in.
package struct BreadcrumbReport: Hashable, Sendable {
  /// One patch that was live, or that threads were in.
  package struct Suspect: Hashable, Sendable {
    /// The first bytes of its hash.
    package let prefix: UInt64
    /// The name of the patch, as far as it is known.
    package let name: String
    package let threads: Int

    package init(prefix: UInt64, name: String, threads: Int) {
      self.prefix = prefix
      self.name = name
      self.threads = threads
    }
  }

  package let run: UInt64
  /// The patches by the number of threads in them, most first.
  package let suspects: [Suspect]
  /// The patches that were live, by name: no thread was in those that are not among the suspects.
  package let live: [Suspect]
  /// Calls of threads that had no slot to write into.
  package let overflow: Int

  package init(run: UInt64, suspects: [Suspect], live: [Suspect] = [], overflow: Int) {
    self.run = run
    self.suspects = suspects
    self.live = live
    self.overflow = overflow
  }

  /// Reads breadcrumbs; nil if the bytes are none.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == MemoryLayout<wax_process_breadcrumb_page>.size else { return nil }
    let reader = Reader(bytes: bytes)
    guard reader.word(0) == WAXWING_CRUMB_MAGIC_VALUE else { return nil }
    run = reader.word(8)
    overflow = Int(truncatingIfNeeded: reader.word(16) & 0xffff_ffff)
    var threads: [UInt64: Int] = [:]
    for slot in 0..<Int(WAX_PROCESS_BREADCRUMB_SLOTS) {
      let prefix = reader.word(32 + slot * 16)
      if prefix != 0 { threads[prefix, default: 0] += 1 }
    }
    suspects = threads.map { prefix, count in
      Suspect(prefix: prefix, name: reader.name(of: prefix), threads: count)
    }.sorted { ($1.threads, $0.prefix) < ($0.threads, $1.prefix) }
    live = reader.live.map { prefix in
      Suspect(prefix: prefix, name: reader.name(of: prefix), threads: threads[prefix] ?? 0)
    }.sorted { ($0.name, $0.prefix) < ($1.name, $1.prefix) }
  }

  private struct Reader {
    let bytes: [UInt8]

    func word(_ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
    }

    /// The patches that were.
    var live: [UInt64] {
      let flags = 32 + Int(WAX_PROCESS_BREADCRUMB_SLOTS) * 16
      return (0..<Int(WAX_PROCESS_BREADCRUMB_NAMES)).compactMap { entry in
        let prefix = word(4096 + entry * 64)
        return prefix != 0 && bytes[flags + entry] == 1 ? prefix : nil
      }
    }

    func name(of prefix: UInt64) -> String {
      for entry in 0..<Int(WAX_PROCESS_BREADCRUMB_NAMES) {
        let offset = 4096 + entry * 64
        guard word(offset) == prefix else { continue }
        let name = bytes[(offset + 8)..<(offset + 64)].prefix { $0 != 0 }
        return String(decoding: name, as: UTF8.self)
      }
      return ""
    }
  }
}

/// `wxcrumb1`, as the header has it.
private let WAXWING_CRUMB_MAGIC_VALUE: UInt64 = 0x3162_6d75_7263_7877
