// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// A file that is written beside its place and then takes it, whole or not at all.
package struct NewFile: ~Copyable {
  package let path: String
  /// The path of the draft that is written first.
  package let draft: String

  package init(at path: String) {
    self.path = path
    draft = "\(path).new-\(getpid())"
  }

  deinit { unsafe unlink(draft) }

  package func write(_ bytes: [UInt8]) throws(CommandError) {
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
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
    guard unsafe rename(draft, path) == 0 else { throw failure(errno) }
  }

  private func failure(_ number: Int32) -> CommandError {
    CommandError(.failure, unsafe "cannot write \(path): \(String(cString: strerror(number)))")
  }
}
