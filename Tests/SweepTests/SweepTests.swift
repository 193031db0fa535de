// SPDX-License-Identifier: MIT

import SeededRandom
import Testing
import WaxwingTestSupport

/// A patch that changes nothing changes nothing: functions of every kind of signature, each of them
/// overridden by a function that only calls the original.
@Suite(.serialized) struct SweepTests {
  private static let points = Result { try SweptPoint.points(of: BuiltProduct("sweepd").path) }

  @Test func `without a patch the workload says the same twice and leaves nothing behind`() throws {
    let baseline = try #require(try Sweep([]).baseline)
    #expect(baseline.left == [])
    #expect(baseline.unstable == [])
    #expect(baseline.lines > 400)
  }

  @Test func `overriding one function changes nothing, whichever it is`() throws {
    let points = try Self.points.get()
    let all = points.compactMap { point in
      point.patch.map { SweepCommand(name: point.name, patch: $0) }
    }
    #if DEBUG
      // Names that Lua has a meaning for are few, and each has its own.
      let commands =
        TestSeed.drawn.sample(of: all.filter { !$0.isOfParts }, every: 3)
        + all.filter(\.isOfParts)
    #else
      let commands = all
    #endif
    let sweep = try Sweep(commands)
    let changes = sweep.changes
    let table = """
      \(points.count) points: \(commands.count - changes.count) the same, \(changes.count) not, \
      \(points.count - all.count) refused
      \(changes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n"))
      """
    #expect(sweep.reports.count + sweep.crashes.count == commands.count)
    #expect(all.count >= 400, "\(table)")
    #expect(changes == [:], "\(table)")
    let uncalled = sweep.reports.values.filter {
      $0.change == nil && $0.calls.allSatisfy { $1 == 0 }
    }
    #expect(Set(uncalled.map(\.name)).subtracting(Known.uncalled) == [])
  }

  @Test func `overriding all functions at once changes nothing`() throws {
    let points = try Self.points.get()
    let sweep = try Sweep([SweepCommand(name: "all", patch: points.patch)])
    #expect(sweep.changes == [:])
    let report = try #require(sweep.reports["all"])
    #expect(report.calls.count { $1 > 0 } >= 400)
    #expect(report.bypassed == 0)
  }

  @Test func `the registers that each function saves are those that its types tell`() throws {
    let others = try Self.points.get().filter { $0.opaque?.contains("other registers") == true }
    #expect(others.map(\.name) == [])
  }

  @Test func `what apply refuses is marked with the reason, and is little`() throws {
    let points = try Self.points.get()
    let refused = points.filter { $0.refused != nil }
    let list = refused.map { "\($0.name): \($0.refused ?? "")" }.joined(separator: "\n")
    #expect(refused.count * 50 < points.count, "\(refused.count) of \(points.count)\n\(list)")

    let sweep = try Sweep(
      refused.compactMap { point in
        point.refusedPatch.map { SweepCommand(name: point.name, patch: $0) }
      })
    #expect(sweep.crashes == [:])
    for point in refused {
      guard let report = sweep.reports[point.name] else { continue }
      let reason = try #require(point.refused)
      #expect(report.refused?.contains(reason) == true, "\(point.name): \(reason)")
    }
  }
}

extension SweepCommand {
  /// Whether it is of a type whose members are named like parts of type objects.
  fileprivate var isOfParts: Bool { name.hasPrefix("SweepFixture.Part") }
}
