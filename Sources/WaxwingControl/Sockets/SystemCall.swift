// SPDX-License-Identifier: MIT

import Glibc

/// What a system call returned, or the error number, read before anything else could change it.
package enum SystemCall {
  /// Calls until no signal interrupts.
  package static func retrying(_ call: () -> Int) -> Result<Int, ErrorNumber> {
    while true {
      let result = call()
      if result >= 0 { return .success(result) }
      let number = errno
      if number != EINTR { return .failure(ErrorNumber(value: number)) }
    }
  }

  package static func retrying(_ call: () -> Int32) -> Result<Int, ErrorNumber> {
    retrying { Int(call()) }
  }
}
