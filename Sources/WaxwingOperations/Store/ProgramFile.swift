// SPDX-License-Identifier: MIT

import Glibc

/// The file that this process runs.
package enum ProgramFile {
  /// The name that distinguishes builds of a program without a build id: the file's size and the
  /// time at which it was written.
  package static var name: String {
    var status = stat()
    guard unsafe stat("/proc/self/exe", &status) == 0 else { return "unknown" }
    return "file:\(status.st_size):\(status.st_mtim.tv_sec)"
  }
}
