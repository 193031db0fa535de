// SPDX-License-Identifier: MIT

package import Bank
package import Testing
import Waxwing

/// What Lua code returns that has a desk, as text; where it fails, the error.
package func answer(
  _ code: String, _ desk: Desk = Desk(), sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
  let patch = """
    local P = class "Bank.Probe"
    -- What a function raises, without the position.
    local function failure(f, ...)
      local ok, message = pcall(f, ...)
      if ok then return "no error" end
      return (string.gsub(tostring(message), "^[^:]*:%d+: ", ""))
    end
    function P:run(desk) \(code)
    end
    """
  return try withPatch(
    patch,
    {
      let result = Probe().run(desk)
      return faults().first ?? result
    }, sourceLocation: sourceLocation)
}
