// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkFloor
import BenchmarkTwin
import Waxwing

/// What a call costs: un-patched, patched, and in plain C.
enum CallBenchmarks {
  private static let add = "function(self, a, b) return a + b end"
  private static let addOriginal = "function(self, a, b) return self:ORIGadd(a, b) end"
  private static let echo = "function(self, text) return text end"
  private static let text = "sixteen bytes -!"

  static var all: [Measurement] {
    let plain = BenchmarkTwin.Calculator()
    let calculator = BenchmarkFixture.Calculator()
    return [
      Measurement("plain function") { count in
        var sum = 0
        for i in 0..<count { sum &+= plain.add(i, 2) }
        check(sum, count)
      },
      Measurement("dynamic function, not patched", comparedTo: "plain function") { count in
        addMany(calculator, count)
      },
      floor("lua_pcall from C, two integers", add) { floor, object, count in
        check(Int(benchmark_floor_integers(floor, object, count)), count)
      },
      floor("the same, self not looked up", add) { floor, _, count in
        check(Int(benchmark_floor_integers(floor, nil, count)), count)
      },
      Measurement(
        "patched, two integers", comparedTo: "lua_pcall from C, two integers",
        "the same, self not looked up", patch: patch("add", add)
      ) { count in addMany(calculator, count) },
      floor("lua_pcall from C, original in C called", addOriginal) { floor, object, count in
        check(Int(benchmark_floor_integers(floor, object, count)), count)
      },
      Measurement(
        "patched, two integers, original called",
        comparedTo: "lua_pcall from C, original in C called",
        patch: patch("add", addOriginal)
      ) { count in addMany(calculator, count) },
      floor("lua_pcall from C, 16 bytes", echo) { floor, object, count in
        let length = benchmark_floor_strings(floor, object, text, text.utf8.count, count)
        precondition(length == count * text.utf8.count)
      },
      Measurement(
        "patched, 16 bytes", comparedTo: "lua_pcall from C, 16 bytes", patch: patch("echo", echo)
      ) { count in
        var length = 0
        for _ in 0..<count { length &+= calculator.echo(text).utf8.count }
        precondition(length == count * text.utf8.count)
      },
    ]
  }

  private static func patch(_ method: String, _ function: String) -> String {
    """
    local calculator = class "BenchmarkFixture.Calculator"
    calculator.\(method) = \(function)
    """
  }

  private static func addMany(_ calculator: BenchmarkFixture.Calculator, _ count: Int) {
    var sum = 0
    for i in 0..<count { sum &+= calculator.add(i, 2) }
    check(sum, count)
  }

  /// A wrong result would make every time worthless.
  private static func check(_ sum: Int, _ count: Int) {
    precondition(sum == count * (count - 1) / 2 + 2 * count, "wrong sum")
  }

  private static func floor(
    _ name: String, _ function: String,
    _ run: @escaping (_ floor: OpaquePointer, _ object: UnsafeRawPointer, _ count: Int) -> Void
  ) -> Measurement {
    let object = UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))
    guard let floor = benchmark_floor_create("return " + function, object) else {
      preconditionFailure("the floor's Lua state could not be made")
    }
    return Measurement(name) { count in run(floor, object, count) }
  }
}
