// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import Testing
import Waxwing

@testable import Bank

extension EngineSuite {
  /// Changing a struct that is a property, through the object and as a copy.
  @Suite struct PathTests {
    /// Runs code with a customer.
    private func visit(_ code: String, _ customer: Customer = Customer()) throws -> Customer {
      let result = try withPatch(
        "patch { limits = { milliseconds = 2000 } }\n"
          + "local C = class \"Bank.Customer\"\nfunction C:visit()\n\(code)\nreturn 'done' end"
      ) {
        let result = customer.visit()
        return faults().first ?? result
      }
      expectEqual(result, "done")
      return customer
    }

    @Test func `a path writes through, with observers, once`() throws {
      let customer = try visit(
        """
        self.address.city = "X"
        self.plain.city = "Y"
        self.computed.city = "Z"
        self.optional.city = "W"
        """)
      expectEqual(customer.address.city, "X")
      expectEqual(customer.plain.city, "Y")
      expectEqual(customer.computed.city, "Z")
      expectEqual(customer.optional?.city, "W")
      expectEqual(customer.changes, ["A->X", "set Z"])
    }

    @Test func `a path of several steps`() throws {
      let customer = try visit(
        """
        self.address.location.lat = 50
        self.computed.location.lon = 60.5
        self.plain.location = self.address.location
        """)
      expectEqual(customer.address.location, GeoPoint(lat: 50, lon: 2))
      expectEqual(customer.computed.location, GeoPoint(lat: 1, lon: 60.5))
      expectEqual(customer.plain.location, GeoPoint(lat: 50, lon: 2))
      expectEqual(customer.changes, ["A->A", "set S"])
    }

    @Test func `a copy in a variable is a copy`() throws {
      let customer = try visit(
        """
        local a = self.address
        a.city = "X"
        a.location.lat = 50
        assert(a.city == "X" and a.location.lat == 50)
        local function change(b) b.city = "P" assert(b.city == "P") end
        change(self.address)
        local function vary(...) (...).city = "V" end
        vary(self.address)
        local kept = self.plain
        local function close() kept.city = "U" end
        close()
        assert(kept.city == "U")
        global = self.plain
        global.city = "G"
        assert(global.city == "G")
        local function get() return self.address end
        get().city = "F"
        self:makeAddress().city = "M"
        """)
      expectEqual(customer.address, PostalAddress(city: "A"))
      expectEqual(customer.plain, PostalAddress(city: "P"))
      expectEqual(customer.changes, [])
    }

    @Test func `a copy is written back by assigning it`() throws {
      let customer = try visit("local a = self.address a.city = 'X' self.address = a a.city = 'Y'")
      expectEqual(customer.address.city, "X")
      expectEqual(customer.changes, ["A->X"])
    }

    @Test func `mutating methods and subscripts write through a path`() throws {
      let customer = try visit(
        """
        self.address:rename("X")
        assert(self.address:add("one") == 1)
        self.address[0] = "two"
        assert(self.tally:increment() == 1)
        assert(self.tally:increment(5) == 6)
        assert(not pcall(function() self.plain["rename(checked:)"](self.plain, "") end))
        local a = self.address
        a:rename("local")
        local t = self.tally
        t:increment()
        """)
      expectEqual(customer.address.city, "X")
      expectEqual(customer.address.lines, ["two"])
      expectEqual(customer.tally.value, 6)
      expectEqual(customer.changes, ["A->X", "X->X", "X->X"])
    }

    @Test func `elements of a property that is a collection write through`() throws {
      let customer = try visit(
        """
        self.points[2].lat = 50
        self.places.home.city = "X"
        self.places.home:rename("Y")
        local points = self.points
        points[1].lat = 60
        for _, point in ipairs(self.points) do point.lon = 70 end
        local home = self.places.home
        home.city = "Z"
        """)
      expectEqual(customer.points, [GeoPoint(lat: 1, lon: 1), GeoPoint(lat: 50, lon: 2)])
      expectEqual(customer.places["home"]?.city, "Y")
      expectEqual(customer.changes, ["places", "places"])
    }

    @Test func `writing through a path leaks nothing`() throws {
      let before = Traced.alive
      let customer = try visit(
        """
        for _ = 1, 1000 do
          self.held.number = self.held.number + 1
          self.holds[1].number = self.holds[1].number + 1
          self.held:bump()
          local copy = self.held
          copy.number = 0
          copy:bump()
        end
        """)
      expectEqual(customer.held.number, 2000)
      expectEqual(customer.holds[0].number, 1000)
      expectEqual(Traced.alive, before + 2)
      withExtendedLifetime(customer) {}
    }

    @Test func `a tail call writes through as well`() throws {
      let customer = try visit(
        "local function step() return self.tally:increment(3) end assert(step() == 3)")
      expectEqual(customer.tally.value, 3)
    }

    @Test func `a method that changes nothing writes nothing back`() throws {
      let customer = try visit("assert(self.address:summary() == 'A [] 1.0')")
      expectEqual(customer.changes, [])
    }

    @Test func `a throwing method has changed what it has changed`() throws {
      let customer = try visit(
        "pcall(function() self.address['rename(checked:)'](self.address, '') end)"
          + " pcall(function() self.plain:rename_checked('') end)")
      expectEqual(customer.plain.city, "")
    }

    @Test func `what cannot be set is an error`() throws {
      let customer = try visit(
        """
        local function failure(f)
          local ok, message = pcall(f)
          assert(not ok)
          return message
        end
        local message = failure(function() self.fixed.city = "X" end)
        assert(message:find("Bank.Customer.fixed is a `let`: it cannot be set", 1, true), message)
        message = failure(function() self.readOnly.city = "X" end)
        assert(message:find("Bank.Customer has no property `readOnly` that can be set", 1, true),
          message)
        """)
      expectEqual(customer.fixed.city, "F")
      expectEqual(customer.readOnly.city, "S")
    }
  }
}
