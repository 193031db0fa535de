// SPDX-License-Identifier: MIT

import Glibc

/// Checks the resource limits of this shell, which programs that it starts inherit.
enum LimitCheck {
  /// The number of files that a daemon should be able to open; it needs its own files in addition.
  private static let files: rlim_t = 256
  /// The audit log grows.
  private static let fileSize: rlim_t = 64 << 20

  static var diagnoses: [Diagnosis] { [openFiles, writtenFiles] }

  private static var openFiles: Diagnosis {
    guard let limit = limit(RLIMIT_NOFILE) else { return .ok(.limits, "any number of open files") }
    guard limit < files else { return .ok(.limits, "\(limit) open files (ulimit -n)") }
    return .warning(
      .limits, "only \(limit) open files: each client of a control socket is one",
      remedy: "ulimit -n \(files), or LimitNOFILE= in the program's unit")
  }

  private static var writtenFiles: Diagnosis {
    guard let limit = limit(RLIMIT_FSIZE) else { return .ok(.limits, "files of any size") }
    guard limit < fileSize else {
      return .ok(.limits, "files of up to \(limit >> 20) MiB (ulimit -f)")
    }
    return .warning(
      .limits,
      "files of at most \(limit >> 10) KiB: a process that writes a longer audit log is ended",
      remedy: "ulimit -f unlimited, or LimitFSIZE= in the program's unit")
  }

  /// The limit of a resource; nil if there is none.
  private static func limit(_ resource: __rlimit_resource) -> rlim_t? {
    var limits = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0,
      limits.rlim_cur != rlim_t.max
    else { return nil }
    return limits.rlim_cur
  }
}
