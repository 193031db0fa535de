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
  private static let mix = "function(self, a, b, c, text, other, d) return a + d end"
  /// An error five calls deep.
  private static let failing = """
    (function()
      local function f1() error("no") end
      local function f2() f1() return 1 end
      local function f3() f2() return 1 end
      local function f4() f3() return 1 end
      return function(self, a, b) f4() return a end
    end)()
    """
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
      floor("lua_pcall from C, no argument", "function(self) return 2 end") {
        precondition(benchmark_floor_bare($0, $1, $2) == 2 * $2)
      },
      Measurement(
        "patched, no argument", comparedTo: "lua_pcall from C, no argument",
        patch: patch("two", "function(self) return 2 end")
      ) { count in
        var sum = 0
        for _ in 0..<count { sum &+= calculator.two() }
        precondition(sum == 2 * count)
      },
      floor("lua_pcall from C, six mixed arguments", mix) { floor, object, count in
        check(
          Int(benchmark_floor_mixed(floor, object, text, text.utf8.count, count)), count)
      },
      Measurement(
        "patched, six mixed arguments", comparedTo: "lua_pcall from C, six mixed arguments",
        patch: patch("mix", mix)
      ) { count in
        var sum = 0
        for i in 0..<count { sum &+= calculator.mix(i, 2.5, true, text, calculator, 2) }
        check(sum, count)
      },
      fewer(
        floor("lua_pcall from C, error in five frames", failing) {
          benchmark_floor_failing($0, $1, $2)
        }),
      fewer(
        Measurement(
          "patched, error in five frames, then the original",
          comparedTo: "lua_pcall from C, error in five frames",
          patch: patch("add", failing)
        ) { count in addMany(calculator, count) }),
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

  /// Of what is dear fewer are counted.
  private static func fewer(_ measurement: Measurement) -> Measurement {
    var measurement = measurement
    measurement.counted = 200
    return measurement
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
