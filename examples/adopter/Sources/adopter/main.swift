// SPDX-License-Identifier: MIT
//
// The smallest program that can be patched: it opens the control socket, so that `waxwing` finds
// it, then patches itself and goes back, to show that all of it works.

import Greetings
import Waxwing

let patch = """
  local Greeter = class "Greetings.Greeter"

  function Greeter:greeting(name)
    return self:ORIGgreeting(name) .. " How are you?"
  end
  """

print("listening on", try WaxwingEngine.listen())

let greeter = Greeter()
print("before:", greeter.greeting(for: "Ada"))
let session = try WaxwingEngine.start(text: patch, name: "friendly")
print("patched:", greeter.greeting(for: "Ada"))
try WaxwingEngine.end(session)
print("restored:", greeter.greeting(for: "Ada"))
