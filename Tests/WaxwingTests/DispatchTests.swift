// SPDX-License-Identifier: MIT

import Bank
import Testing

extension EngineSuite {
  /// Members are those that Swift would take.
  @Suite struct DispatchTests {
    private func inspect(_ letter: Letter, _ body: String) throws -> String {
      try withPatch(
        """
        local module = module "Bank"
        function module.inspectLetter(letter)
        \(body)
        end
        """
      ) {
        let text = inspectLetter(letter)
        #expect(faults() == [])
        return text
      }
    }

    @Test func `193: a subclass's accessors stand before the stored property they override`() throws {
      let body = """
        local before = letter.title
        letter.title = "b"
        return before .. ", " .. letter.title .. ", " .. letter.changes
        """
      #expect(try inspect(Letter(title: "a"), body) == "a, b, 0")
      #expect(try inspect(OpenLetter(title: "a"), body) == "open a, open b!, 0")
      #expect(try inspect(ObservedLetter(title: "a"), body) == "a, b, 1")
    }

    @Test func `an object behind a protocol's type is the object itself`() throws {
      let text = try inspect(
        Letter(title: "a"),
        """
        local signed = letter:asSigned()
        return signed.signature .. " " .. tostring(signed == letter)
        """)
      #expect(text == "signed a true")
    }

    @Test func `199: a wrong value in a table in a table has its path`() throws {
      let text = try inspect(
        Letter(title: "a"),
        """
        local good, bad = { x = 1, y = 2 }, { x = 1, y = "q" }
        assert(letter:corners { { near = good, far = good } } == 1)
        return select(2, pcall(letter.corners, letter, { { near = good, far = bad } }))
        """)
      #expect(text.contains("expected Int at [1].far.y, got string \"q\""))
    }

    @Test func `initializers of types that Lua cannot hold are left out, not instantiated`() throws {
      let text = try inspect(
        Letter(title: "a"),
        """
        local ok, message = pcall(String, {})
        return tostring(ok) .. message
        """)
      #expect(text.hasPrefix("false"))
    }
  }
}
