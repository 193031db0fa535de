// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import Testing
import Waxwing
import WithoutNames
import WithoutReflection

extension EngineSuite {
  /// Programs that tell less than usual of what their types are made of.
  @Suite struct ReflectionTests {
    /// Overrides that only call the original.
    private static func patch(_ module: String) -> String {
      let members = [
        "Money": ["doubled()", "add(other)"], "Rate": ["applied(number)"],
        "Line": ["described(number)", "append(more)"], "Kind": ["named()"], "Pair": ["text(other)"],
        "Till": [
          "plain(x)", "cents(m)", "money(m, r)", "rate(r)", "line(l, m)", "wrapped(w)", "kind(k)",
          "size(s)", "maybe(m)", "all(m)", "change(m)", "later(m, l)", "mapped(f)",
        ],
      ]
      let methods = members.flatMap { type, names in
        names.map { name in
          let arguments = name.split(separator: "(")[1].dropLast()
          return "function \(type):\(name) "
            + "return original(self\(arguments.isEmpty ? "" : ", \(arguments)")) end"
        }
      }
      let types = members.keys.map { #"local \#($0) = class "\#(module).\#($0)""# }
      return (types + methods.sorted()).joined(separator: "\n")
        + """

        Money["init(cents:)"] = function(self, n) return original(self, n) end
        Rate["init(factor:scale:kind:)"] = function(self, ...) return original(self, ...) end
        Line["init(text:)"] = function(self, text) return original(self, text) end
        Wrapped = class "\(module).Wrapped"
        Wrapped["init(content:)"] = function(self, any) return original(self, any) end
        """
    }

    private static let lines = [
      "6 22 23", "true true true true", "12.0 5 textmore", "any", "[1, 22] 8", "true a b 2",
    ]

    @Test func `without names of properties, overrides that only call the original change nothing`()
      async throws
    {
      try await withAsyncPatch(Self.patch("WithoutNames")) {
        expectEqual(await WithoutNames.runTill(), Self.lines)
        expectEqual(faults(), [])
      }
    }

    @Test func `without reflection metadata, overrides that only call the original change nothing`()
      async throws
    {
      try await withAsyncPatch(Self.patch("WithoutReflection")) {
        expectEqual(await WithoutReflection.runTill(), Self.lines)
        expectEqual(faults(), [])
      }
    }

    @Test func `what has no name is told by its position, and an error says why`() throws {
      let patch = """
        local Till = class "WithoutNames.Till"
        function Till:cents(m) return 10 * m[1] end
        function Till:kind(k) return k.case end
        """
      try withPatch(patch) {
        let till = WithoutNames.Till()
        expectEqual(till.cents(WithoutNames.Money(cents: 7)), 70)
        expectEqual(till.kind(.small(4)), .small(4))
        expectContains(faults().joined(), "build it without `-disable-reflection-names`")
      }
    }

    @Test func `a value of which nothing is known is opaque, and an error says why`() throws {
      let patch = """
        local Till, Money = class "WithoutReflection.Till", class "WithoutReflection.Money"
        function Till:cents(m) return m.cents end
        function Till:money(m, rate) return Money(4) end
        """
      try withPatch(patch) {
        let till = WithoutReflection.Till()
        let money = WithoutReflection.Money(cents: 7)
        expectEqual(till.cents(money), 7)
        let rate = WithoutReflection.Rate(factor: 2, scale: 3, kind: 4)
        expectEqual(till.money(money, rate).cents, 8)
        expectContains(faults().joined(), "Money is opaque here and has no `cents`")
        expectContains(faults().joined(), "build it without `-disable-reflection-metadata`")
      }
    }
  }
}
