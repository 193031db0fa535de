// SPDX-License-Identifier: MIT

import Bank
package import Testing
import Waxwing

/// What the body, Lua code that has `self`, a `Bank.Generics`, and `Bank`, the module, returns; and
/// nothing is left of the objects that it made.
package func generic(_ body: String, sourceLocation: SourceLocation = #_sourceLocation) throws
  -> String
{
  let alive = Token.alive
  let generics = Generics()
  let result = try withPatch(
    """
    local Bank = module "Bank"
    local G = class "Bank.Generics"
    function G:run()
      \(body)
    end
    """
  ) {
    let result = generics.run()
    #expect(faults() == [], sourceLocation: sourceLocation)
    return result
  }
  #expect(Token.alive == alive, "objects leaked or died twice", sourceLocation: sourceLocation)
  return result
}

/// The message with which the body, as for `generic`, fails.
package func genericFailure(_ body: String, sourceLocation: SourceLocation = #_sourceLocation)
  throws
  -> String
{
  try generic(
    """
    local ok, message = pcall(function() \(body) end)
    return ok and "no error" or tostring(message)
    """, sourceLocation: sourceLocation)
}
