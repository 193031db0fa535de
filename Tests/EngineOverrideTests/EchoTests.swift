// SPDX-License-Identifier: MIT

import EchoFixture
import Testing
import Waxwing

extension EngineSuite {
  /// Functions of random signatures, called with random values: un-patched, with overrides that
  /// return their arguments, that call the original, and that call another function by name. Every
  /// result must be what it is without a patch, to the bit, with the same objects, and every object
  /// must die in the end.
  ///
  /// Other functions: build with WAXWING_ECHO_SEED. Other values: run with WAXWING_TEST_SEED. Only one
  /// function: run with WAXWING_ECHO_ONLY and its name.
  @Suite(.serialized) struct EchoTests {
    /// The Lua function that stands in, of those that a case has.
    struct Mode: CustomTestStringConvertible, Sendable {
      let testDescription: String
      let override: @Sendable (EchoCase) -> String

      static let all = [
        Mode("returning the arguments") { $0.echo },
        Mode("calling the original") { $0.original },
        Mode("calling another function by name") { $0.name.hasPrefix("a") ? $0.other : "" },
        Mode("calling another function by name, the other way") {
          $0.name.hasPrefix("b") ? $0.other : ""
        },
        Mode("with advice that replaces nothing") {
          advised($0, "function() end", "function() end")
        },
        Mode("with advice that replaces all by the same") {
          $0.owner.hasPrefix("module")
            ? advised(
              $0, "function(...) return ... end", "function(r) if r ~= nil then return r end end")
            : advised(
              $0, "function(_, ...) return ... end",
              "function(_, r) if r ~= nil then return r end end")
        },
      ]

      /// What overrides with the original, with advice in the place of the overrides.
      private static func advised(_ echo: EchoCase, _ before: String, _ after: String) -> String {
        """
        do
          local function advised(face)
            return setmetatable({}, {
              __index = function(_, name)
                local found = face[name]
                return type(found) == "table" and advised(found) or found
              end,
              __newindex = function(_, name)
                face:before(name, \(before))
                face:after(name, \(after))
              end,
            })
          end
          local H = advised(H)
          \(echo.original)
        end
        """
      }

      private init(_ name: String, override: @escaping @Sendable (EchoCase) -> String) {
        testDescription = name
        self.override = override
      }
    }

    @Test(arguments: Mode.all)
    func `values of every type are the same on the other side`(mode: Mode) throws {
      WaxwingEngine.setLogHandler { _ in }
      // A script with thousands of functions takes as long to load as it takes.
      let limits = WaxwingEngine.policy.limits
      WaxwingEngine.policy.limits.loadMilliseconds = 0
      defer { WaxwingEngine.policy.limits = limits }
      let cases = EchoRun.cases.filter { mode.override($0) != "" }
      EchoRun.callAll(cases)
      let alive = Tracked.alive
      do {
        try EchoRun(cases, mode.override).run()
      } catch {
        Issue.record("\(error)")
        for echo in cases { EchoRun.report(echo, mode.override) }
        return
      }
      if Tracked.alive != alive {
        Issue.record("\(Tracked.alive - alive) objects too many")
        for echo in cases { EchoRun.report(echo, mode.override) }
      }
      EchoRun.callAll(cases)
    }
  }
}
