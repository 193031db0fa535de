// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Overrides of async functions.
  @Suite struct AsyncTests {
    @Test func `a free async function is overridden, with and without its original`() async throws {
      await expectEqual(asyncFee(500), 5)
      try await withAsyncPatch(
        """
        local Bank = module "Bank"
        function Bank.asyncFee(n)
          if n < 0 then return -1 end
          return Bank.ORIGasyncFee(n) + Bank.ORIGasyncFee(n * 2)
        end
        """
      ) {
        await expectEqual(asyncFee(500), 15)
        await expectEqual(asyncFee(-500), -1)
        expectEqual(faults(), [])
      }
      await expectEqual(asyncFee(500), 5)
    }
  }
}
