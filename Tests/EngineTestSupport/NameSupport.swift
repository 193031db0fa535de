// SPDX-License-Identifier: MIT

import Bank
package import Testing
import Waxwing

/// Runs Lua code in an override and returns what it returns, as Lua writes it.
package func evaluate(_ code: String, sourceLocation: SourceLocation = #_sourceLocation) throws
  -> String
{
  try withPatch(probe(code)) {
    let text = NamesProbe().text()
    #expect(faults() == [], sourceLocation: sourceLocation)
    return text
  }
}

/// The error with which Lua code ends.
package func fault(of code: String, sourceLocation: SourceLocation = #_sourceLocation) throws
  -> String
{
  try withPatch(probe(code)) {
    #expect(NamesProbe().text() == "baseline", sourceLocation: sourceLocation)
    return faults().first ?? ""
  }
}

private func probe(_ code: String) -> String {
  """
  local function run()
  \(code)
  end
  local Probe = class "Bank.NamesProbe"
  function Probe:text()
    local results = table.pack(run())
    for i = 1, results.n do results[i] = tostring(results[i]) end
    return table.concat(results, " ")
  end
  """
}
