// SPDX-License-Identifier: MIT

import Bank
import Testing
import Waxwing

/// What a patch begins with that notes events, and has the class that advice is tried on.
let adviceHead = """
  local Bank, M = module "Bank", class "Bank.Machine"
  local function note(text) return function() Bank.note(text) end end

  """

func trace(_ body: () -> Void) -> String {
  _ = Trace.shared.take()
  body()
  return Trace.shared.take()
}

/// The same for a call that returns something.
func trace<Value: Equatable>(
  _ expected: Value, _ body: () -> Value, sourceLocation: SourceLocation = #_sourceLocation
) -> String {
  _ = Trace.shared.take()
  let found = body()
  #expect(found == expected, sourceLocation: sourceLocation)
  return Trace.shared.take()
}
