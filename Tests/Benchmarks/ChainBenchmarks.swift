// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkFloor

/// What a call costs that goes through several pieces of Lua: of as many patches, each of which
/// calls its original, or of one patch as advice.
enum ChainBenchmarks {
  private static let lengths = [1, 2, 4, 8]

  static var all: [Measurement] { chains + surrounded }

  /// `before` and `after`, and the same in C: two functions called in protected mode around an
  /// original in C.
  private static var surrounded: [Measurement] {
    let object = UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))
    let function = """
      local before, after = function() end, function() end
      return function(self, a, b)
        pcall(before, self, a, b)
        local result = self:ORIGadd(a, b)
        pcall(after, self, result, a, b)
        return result
      end
      """
    let calculator = Calculator()
    let name = "lua_pcall from C, two functions around the original"
    func floor(_ name: String, _ floor: OpaquePointer?) -> Measurement {
      guard let floor else { preconditionFailure("the floor's Lua state could not be made") }
      return Measurement(name) { count in
        let sum = Int(benchmark_floor_integers(floor, object, count))
        precondition(sum == count * (count - 1) / 2 + 2 * count, "wrong sum")
      }
    }
    return [
      floor(name, benchmark_floor_create(function, object)),
      floor(name + ", table kept", benchmark_floor_create_strict(function, object)),
      Measurement(
        "before and after", comparedTo: Floor(name, .generous),
        Floor(name + ", table kept", .strict), patch: advised(2)
      ) { count in
        var sum = 0
        for i in 0..<count { sum &+= calculator.add(i, 2) }
        precondition(sum == count * (count - 1) / 2 + 2 * count, "wrong sum")
      },
    ]
  }

  private static var chains: [Measurement] {
    lengths.map { length in
      measurement(
        "patches, each calling its original", length,
        patches: Array(repeating: stacked, count: length))
    }
      + lengths.map { length in
        measurement("pieces of advice in one patch", length, patches: [advised(length)])
      }
  }

  private static let stacked = """
    local calculator = class "BenchmarkFixture.Calculator"
    function calculator:add(a, b) return self:ORIGadd(a, b) end
    """

  /// `before` and `after` in turns.
  private static func advised(_ count: Int) -> String {
    let pieces = (0..<count).map { index in
      "calculator:\(index % 2 == 0 ? "before" : "after")(\"add\", function() end)"
    }
    return (["local calculator = class \"BenchmarkFixture.Calculator\""] + pieces)
      .joined(separator: "\n")
  }

  private static func measurement(
    _ name: String, _ length: Int, patches: [String]
  ) -> Measurement {
    let calculator = Calculator()
    return Measurement(
      "\(length) \(name)", comparedTo: length == 1 ? [] : [Floor("1 \(name)")], patches: patches
    ) { count in
      var sum = 0
      for i in 0..<count { sum &+= calculator.add(i, 2) }
      precondition(sum == count * (count - 1) / 2 + 2 * count, "wrong sum")
    }
  }
}
