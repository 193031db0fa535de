// SPDX-License-Identifier: MIT

import Foundation

/// A system call that failed.
struct SystemError: Error, CustomStringConvertible {
  let call: String
  let code: Int32

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// Makes a system call, again when a signal came in between.
@discardableResult
func systemCall<Result: SignedInteger>(_ name: String, _ body: () -> Result) throws(SystemError)
  -> Result
{
  while true {
    let result = body()
    let code = errno
    if result >= 0 { return result }
    if code != EINTR { throw SystemError(call: name, code: code) }
  }
}
