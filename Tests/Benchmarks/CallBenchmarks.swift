// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkFloor
import BenchmarkTwin
import Waxwing

/// What a call costs: un-patched, patched, and in plain C.
///
/// Two floors look `self` up: the generous one reads the table of proxies from the registry for each
/// call, the strict one keeps it on the stack, and its object's methods know the object by a word.
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

  private static let integers = "lua_pcall from C, two integers"
  private static let original = "lua_pcall from C, original in C called"
  private static let noArgument = "lua_pcall from C, no argument"
  private static let mixed = "lua_pcall from C, six mixed arguments"
  private static let failure = "lua_pcall from C, error in five frames"
  private static let bytes = "lua_pcall from C, 16 bytes"
  private static let withoutSelf = "lua_pcall from C, no self, two integers"

  static var all: [Measurement] {
    unpatched + integerCalls + otherCalls + passedOn + [kept.floor, kept.own]
  }

  private static var unpatched: [Measurement] {
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
    ]
  }

  private static var integerCalls: [Measurement] {
    let calculator = BenchmarkFixture.Calculator()
    func run(_ floor: OpaquePointer, _ object: UnsafeRawPointer?, _ count: Int) {
      check(Int(benchmark_floor_integers(floor, object, count)), count)
    }
    func patched(_ name: String, _ floors: [Floor], _ function: String, _ limits: Policy.Limits)
      -> Measurement
    {
      var measurement = Measurement(
        name, comparedTo: floors, patches: [patch("add", function)]
      ) { count in addMany(calculator, count) }
      measurement.limits = limits
      return measurement
    }
    let notLookedUp = "the same, self not looked up"
    return floors(integers, add, run)
      + [floor(notLookedUp, add) { floor, _, count in run(floor, nil, count) }]
      + [
        patched(
          "patched, two integers", compared(integers) + [Floor(notLookedUp, .strict)], add, .none),
        patched(
          "patched, two integers, under limits", compared(integers), add, Policy.Limits()),
      ]
      + floors(original, addOriginal, run)
      + [
        patched(
          "patched, two integers, original called", compared(original), addOriginal, .none),
        patched(
          "patched, original called, under limits", compared(original), addOriginal,
          Policy.Limits()),
      ]
  }

  private static var otherCalls: [Measurement] {
    let calculator = BenchmarkFixture.Calculator()
    let two = "function(self) return 2 end"
    return floors(noArgument, two) { precondition(benchmark_floor_bare($0, $1, $2) == 2 * $2) }
      + [
        Measurement(
          "patched, no argument", comparedTo: compared(noArgument), patches: [patch("two", two)]
        ) { count in
          var sum = 0
          for _ in 0..<count { sum &+= calculator.two() }
          precondition(sum == 2 * count)
        }
      ]
      + floors(mixed, mix) { floor, object, count in
        check(Int(benchmark_floor_mixed(floor, object, text, text.utf8.count, count)), count)
      }
      + [
        Measurement(
          "patched, six mixed arguments", comparedTo: compared(mixed), patches: [patch("mix", mix)]
        ) { count in
          var sum = 0
          for i in 0..<count { sum &+= calculator.mix(i, 2.5, true, text, calculator, 2) }
          check(sum, count)
        },
        fewer(floor(failure, failing) { benchmark_floor_failing($0, $1, $2) }),
        fewer(
          Measurement(
            "patched, error in five frames, then the original", comparedTo: Floor(failure),
            patch: patch("add", failing)
          ) { count in addMany(calculator, count) }),
      ]
      + floors(bytes, echo) { floor, object, count in
        let length = benchmark_floor_strings(floor, object, text, text.utf8.count, count)
        precondition(length == count * text.utf8.count)
      }
      + [
        Measurement(
          "patched, 16 bytes", comparedTo: compared(bytes), patches: [patch("echo", echo)]
        ) { count in
          var length = 0
          for _ in 0..<count { length &+= calculator.echo(text).utf8.count }
          precondition(length == count * text.utf8.count)
        }
      ]
  }

  /// What Lua never looks at: the same at any size.
  private static var passedOn: [Measurement] {
    let calculator = BenchmarkFixture.Calculator()
    func name(_ size: String) -> String { "patched, \(size) integers passed on" }
    func row(_ size: String, _ values: [Int], _ floors: [Floor]) -> Measurement {
      Measurement(
        name(size), comparedTo: floors,
        patches: [patch("pass", "function(self, v) return self:ORIGpass(v) end")]
      ) { count in
        var sum = 0
        for _ in 0..<count { sum &+= calculator.pass(values).count }
        precondition(sum == count * values.count)
      }
    }
    let floor = Floor(name("10"))
    return [
      row("10", Array(0..<10), []), row("1,000", Array(0..<1000), [floor]),
      row("100,000", Array(0..<100_000), [floor]),
    ]
  }

  /// A Lua function that Swift code keeps, called by it.
  static var kept: (floor: Measurement, own: Measurement) {
    let patch = """
      class("BenchmarkFixture.Keeper").static:keep(function(a, b) return a + b end)
      """
    return (
      floor(withoutSelf, "function(a, b) return a + b end") { floor, _, count in
        check(Int(benchmark_floor_kept(floor, count)), count)
      },
      Measurement(
        "Lua function kept and called by Swift", comparedTo: Floor(withoutSelf), patch: patch
      ) { count in check(Keeper.addMany(count), count) }
    )
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

  /// The generous floor and the strict one.
  private static func floors(
    _ name: String, _ function: String,
    _ run: @escaping (_ floor: OpaquePointer, _ object: UnsafeRawPointer, _ count: Int) -> Void
  ) -> [Measurement] {
    [floor(name, function, run), floor(strict(name), function, isStrict: true, run)]
  }

  private static func strict(_ name: String) -> String { name + ", table kept" }

  private static func compared(_ name: String) -> [Floor] {
    [Floor(name, .generous), Floor(strict(name), .strict)]
  }

  private static func floor(
    _ name: String, _ function: String, isStrict: Bool = false,
    _ run: @escaping (_ floor: OpaquePointer, _ object: UnsafeRawPointer, _ count: Int) -> Void
  ) -> Measurement {
    let object = UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))
    let create = isStrict ? benchmark_floor_create_strict : benchmark_floor_create
    guard let floor = create("return " + function, object) else {
      preconditionFailure("the floor's Lua state could not be made")
    }
    return Measurement(name) { count in run(floor, object, count) }
  }
}
