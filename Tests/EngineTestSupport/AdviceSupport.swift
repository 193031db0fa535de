// SPDX-License-Identifier: MIT

import Bank
package import Testing
import Waxwing

/// What a patch begins with that notes events, and has the class that advice is tried on.
package let adviceHead = """
  local Bank, M = module "Bank", class "Bank.Machine"
  local function note(text) return function() Bank.note(text) end end

  """

package func trace(_ body: () -> Void) -> String {
  _ = Trace.shared.take()
  body()
  return Trace.shared.take()
}

/// The same for a call that returns something.
package func trace<Value: Equatable>(
  _ expected: Value, _ body: () -> Value, sourceLocation: SourceLocation = #_sourceLocation
) -> String {
  _ = Trace.shared.take()
  let found = body()
  #expect(found == expected, sourceLocation: sourceLocation)
  return Trace.shared.take()
}
