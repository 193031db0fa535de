// SPDX-License-Identifier: MIT

import CWaxwingABI
import ClobberProbe
import Glibc
import Testing

#if arch(x86_64)
  @Suite struct CodeTests {
    @Test func `the way to another image's function is known before it is called`() throws {
      let jump = try #require(probe_late_function())
      let function = try #require(dlsym(nil, "l64a"))
      try #require(jump != UnsafeRawPointer(function))
      #expect(wax_abi_code_target(jump) == UnsafeRawPointer(function))
    }

    @Test func `code that is no jump to another image is where it is`() throws {
      let function = try #require(dlsym(nil, "l64a"))
      #expect(wax_abi_code_target(function) == UnsafeRawPointer(function))
    }
  }
#endif
