// SPDX-License-Identifier: MIT

import Expectations
import Testing
import WaxwingTestSupport

@Suite struct FoundationExampleTests {
  @Test func `types of Foundation are used with no binding`() throws {
    let example =
      String(#filePath.split(separator: "/").dropLast(3).flatMap { "/" + $0 })
      + "/examples/foundation.lua"
    let result = try Shell().waxwing(["run", example])
    expectEqual(
      result,
      CommandResult(
        status: .exited(0),
        standardOutput: """
          URL\thttps\texample.org\t8080\tjson\tpage=2\ttop
          URL\t/shop/cart
          URLComponents\thttps://swift.org/find?q=lua%20%26%20swift
          Date\t1971-01-01 00:00:00 +0000\t31536000.0\ttrue
          DateInterval\t3600.0
          DateComponents\t2026\t11\tnil
          Calendar\t1971\tfalse
          ISO8601DateFormatter\t1971-01-01T00:00:00Z
          TimeZone\tGMT\t7200
          Locale\tde_DE
          Decimal\t42
          NSDecimalNumber\t0.3
          Measurement\t2500.0
          NumberFormatter\t3
          Data\tYWJj\tabc
          String\tOne Two\ta+b
          UUID\tE621E1F8-C36C-495A-93FC-0C247A3E6E5F\ttrue
          IndexSet\ttrue\t2
          IndexPath\t[3]
          CharacterSet\ttrue
          NSRegularExpression\t2\thome of Ada and work of bob
          JSONSerialization\tAda\t2\t[1,"two"]
          FileManager\ttrue
          ProcessInfo\ttrue\ttrue
          NSString\t4
          error\tfalse\tFoundation.NSError
          typeof\tstruct\tFoundation.Formatter
          typeof\tvar duration: Double

          """, standardError: ""))
  }
}
