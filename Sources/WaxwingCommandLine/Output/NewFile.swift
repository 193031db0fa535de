// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// A file that is written beside its place and then takes it, whole or not at all.
package struct NewFile: ~Copyable {
  package let path: String
  /// Where it is written.
  package let draft: String

  package init(at path: String) {
    self.path = path
    draft = "\(path).new-\(getpid())"
  }

  deinit { unlink(draft) }

  package func write(_ bytes: [UInt8]) throws(CommandError) {
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(errno) }
    do throws(ErrorNumber) {
      try SystemCall.writeAll(bytes[...], to: descriptor)
    } catch {
      close(descriptor)
      throw failure(error.value)
    }
    guard close(descriptor) == 0 else { throw failure(errno) }
  }

  package func takePlace() throws(CommandError) {
    guard rename(draft, path) == 0 else { throw failure(errno) }
  }

  private func failure(_ number: Int32) -> CommandError {
    CommandError(.failure, "cannot write \(path): \(String(cString: strerror(number)))")
  }
}
