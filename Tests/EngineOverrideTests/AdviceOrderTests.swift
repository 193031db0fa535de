// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import SeededRandom
import Testing
import Waxwing

extension EngineSuite {
  /// Pieces of advice of several kinds around one function, against a model of what they do: whatever
  /// stands before a piece, it finds the call as it is to find it.
  @Suite struct AdviceOrderTests {
    /// What a piece does besides noting its letter.
    private enum Kind: CaseIterable {
      case notes
      /// Returns 10 more than the argument, or twice the result.
      case changes
      case fails
      case isForOneCall
      /// Is for another thread, and does nothing.
      case isElsewhere
      /// Removes itself.
      case endsItself
      /// Removes the one that was added after it.
      case endsNext

      func code(_ index: Int, isAfter: Bool) -> String {
        let letter = Self.letter(index)
        let body =
          switch self {
          case .notes, .isForOneCall, .isElsewhere: ""
          case .changes: isAfter ? "return first * 2" : "return first + 10"
          case .fails: "error('on purpose')"
          case .endsItself: "tokens[\(index)]:remove()"
          case .endsNext: "if tokens[\(index + 1)] then tokens[\(index + 1)]:remove() end"
          }
        let options =
          switch self {
          case .isForOneCall: ", { once = true }"
          case .isElsewhere: ", { thread = 1 }"
          default: ""
          }
        return "function(first) Bank.note '\(letter)' \(body) end\(options)"
      }

      static func letter(_ index: Int) -> String { String(UnicodeScalar(UInt8(97 + index))) }
    }

    /// The pieces at one function.
    private struct Model {
      let kinds: [(kind: Kind, isAfter: Bool)]
      var isThere: [Bool]
      var faults = 0

      init(_ kinds: [(kind: Kind, isAfter: Bool)]) {
        self.kinds = kinds
        isThere = kinds.map { _ in true }
      }

      /// What a call returns, and what is noted. `original`: of the function, which notes nothing.
      mutating func call(_ argument: Int, _ original: (Int) -> Int) -> (result: Int, trace: String)
      {
        var value = argument
        var trace = ""
        run(isAfter: false, &value, &trace) { $0 + 10 }
        value = original(value)
        run(isAfter: true, &value, &trace) { $0 * 2 }
        return (value, trace)
      }

      private mutating func run(
        isAfter: Bool, _ value: inout Int, _ trace: inout String, _ change: (Int) -> Int
      ) {
        for (index, piece) in kinds.enumerated()
        where piece.isAfter == isAfter && isThere[index] && piece.kind != .isElsewhere {
          trace += Kind.letter(index)
          switch piece.kind {
          case .notes, .isElsewhere: break
          case .changes: value = change(value)
          case .fails: faults += 1
          case .isForOneCall, .endsItself: isThere[index] = false
          case .endsNext: if index + 1 < kinds.count { isThere[index + 1] = false }
          }
        }
      }
    }

    /// - Parameter name: Of a function whose first argument is its only one.
    private func patch(_ model: Model, _ scope: String, _ name: String, takesSelf: Bool) -> String {
      let pieces = model.kinds.enumerated().map { index, piece in
        let code = piece.kind.code(index, isAfter: piece.isAfter)
        let function =
          takesSelf ? code.replacing("function(first)", with: "function(self, first)") : code
        return
          "tokens[\(index)] = \(scope):\(piece.isAfter ? "after" : "before")('\(name)', \(function))"
      }
      return adviceHead + "local tokens = {}\n" + pieces.joined(separator: "\n")
    }

    private func check(
      _ model: Model, _ scope: String, _ name: String, takesSelf: Bool,
      _ original: (Int) -> Int, _ call: (Int) -> Int
    ) throws {
      var model = model
      let text = patch(model, scope, name, takesSelf: takesSelf)
      try withPatch(text) {
        for argument in 1...3 {
          let expected = model.call(argument, original)
          #expect(trace(expected.result) { call(argument) } == expected.trace, "\(text)")
        }
        #expect(
          patches().flatMap(\.overrides).map(\.errors).reduce(0, +) == model.faults, "\(text)")
      }
    }

    #if DEBUG
      private static let modelCount = 8
    #else
      private static let modelCount = 25
    #endif

    /// Lists of pieces that are the same in each run. Of those that fail there is one at most: more
    /// would switch the override off.
    private var models: [Model] {
      var random = TestSeed(7).generator
      func draw(_ count: Int) -> Int { .random(in: 0..<count, using: &random) }
      return (0..<Self.modelCount).map { _ in
        var hasFailing = false
        return Model(
          (0...draw(7)).map { _ in
            var kind = Kind.allCases[draw(Kind.allCases.count)]
            if kind == .fails, hasFailing { kind = .changes }
            if kind == .fails { hasFailing = true }
            return (kind, draw(2) == 1)
          })
      }
    }

    @Test func `pieces of all kinds, of a method`() throws {
      let machine = Machine(number: 3)
      for model in models {
        try check(model, "M", "wide", takesSelf: true, { $0 }, { Int(machine.wide(Int64($0))) })
      }
    }

    @Test func `pieces of all kinds, of a free function`() throws {
      for model in models {
        try check(model, "Bank", "gross", takesSelf: false, { $0 * 2 }, { gross($0) })
      }
    }

    @Test func `each kind alone, before and after`() throws {
      for kind in Kind.allCases {
        for isAfter in [false, true] {
          try check(
            Model([(kind, isAfter)]), "Bank", "gross", takesSelf: false, { $0 * 2 }, { gross($0) })
        }
      }
    }

    @Test func `pieces after a function without result get nil, and may return nothing else`()
      throws
    {
      let machine = Machine(number: 3)
      try withPatch(
        adviceHead + """
          M:after("step", function(self, result) Bank.note(tostring(result)) end)
          M:after("step", function(self, ...) Bank.note(tostring(select("#", ...))) end)
          """
      ) {
        expectEqual(trace { machine.step() }, "|nil1")
        expectEqual(faults(), [])
      }
    }

    @Test func `errors of the original have no frames of what runs the pieces`() throws {
      let machine = Machine(number: 3)
      try withPatch(
        adviceHead + """
          M:before("run", function() end)
          M:after("run", function(self, result)
            error { result }
          end)
          function M:run(n)
            return self.nothing
          end
          """
      ) {
        expectEqual(machine.run(1), 2)
        let overrides = try #require(patches().first?.overrides)
        let tracebacks = overrides.compactMap(\.lastError?.traceback)
        expectEqual(
          Set(tracebacks),
          [
            ["test.lua:8: in function <anonymous>"],
            ["[C]: in function 'error'", "test.lua:5: in function <anonymous>"],
          ])
      }
    }

    @Test func `a call without end in a piece is stopped, whatever runs it`() throws {
      let machine = Machine(number: 3)
      try withPatch(
        "patch { limits = { instructions = 10000 } }\n" + adviceHead + """
          M:before("run", function() Bank.note "a" end)
          M:before("run", function() while true do end end)
          M:before("run", function() Bank.note "b" end)
          """
      ) {
        expectEqual(trace(2) { machine.run(1) }, "ar")
        #expect(faults().count == 1 && expectedFault().contains("limits.instructions"))
      }
    }
  }
}
