// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Waxwing

/// The same override without limits and with the host's usual ones.
enum LimitBenchmarks {
  private static let bodies = [
    (name: "two integers", code: "return a + b"),
    (
      name: "a loop of 10,000 additions",
      code: "for i = 1, 10000 do a = a + i end return a + b - 50005000"
    ),
    (
      name: "strings, tables and calls",
      code: """
      local words = {}
      for i = 1, 100 do words[i] = string.format("%d-%s", i, tostring(a)) end
      local text = table.concat(words, ",")
      local count = 0
      for word in text:gmatch("[^,]+") do count = count + #word:upper() end
      return count > 0 and a + b
      """
    ),
  ]

  static var all: [Measurement] {
    bodies.flatMap { body in
      let calculator = Calculator()
      let patch = """
        local calculator = class "BenchmarkFixture.Calculator"
        function calculator:add(a, b) \(body.code) end
        """
      let name = "\(body.name), no limits"
      func measurement(_ name: String, comparedTo floors: [Floor], _ limits: Policy.Limits)
        -> Measurement
      {
        var measurement = Measurement(name, comparedTo: floors, patches: [patch]) { count in
          var sum = 0
          for i in 0..<count { sum &+= calculator.add(i, 2) }
          precondition(sum == count * (count - 1) / 2 + 2 * count, "wrong sum")
        }
        measurement.limits = limits
        if body.name != "two integers" { measurement.counted = 200 }
        return measurement
      }
      return [
        measurement(name, comparedTo: [], .none),
        measurement("\(body.name), limits", comparedTo: [Floor(name)], Policy.Limits()),
      ]
    }
  }
}
