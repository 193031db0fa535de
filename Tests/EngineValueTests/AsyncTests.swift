// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Testing
import Waxwing

extension EngineSuite {
  /// Overrides of async functions.
  @Suite struct AsyncTests {
    @Test func `a free async function is overridden, with and without its original`() async throws {
      #expect(await asyncFee(500) == 5)
      try await withAsyncPatch(
        """
        local Bank = module "Bank"
        function Bank.asyncFee(n)
          if n < 0 then return -1 end
          return Bank.ORIGasyncFee(n) + Bank.ORIGasyncFee(n * 2)
        end
        """
      ) {
        #expect(await asyncFee(500) == 15)
        #expect(await asyncFee(-500) == -1)
        #expect(faults() == [])
      }
      #expect(await asyncFee(500) == 5)
    }
  }
}
