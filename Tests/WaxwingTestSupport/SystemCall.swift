// SPDX-License-Identifier: MIT

import Glibc

/// Makes a system call, again when a signal came in between.
@discardableResult
func systemCall<Result: SignedInteger>(_ name: String, _ body: () -> Result)
  throws(TestSupportError) -> Result
{
  while true {
    let result = body()
    let code = errno
    if result >= 0 { return result }
    if code != EINTR { throw TestSupportError("\(name): \(String(cString: strerror(code)))") }
  }
}
