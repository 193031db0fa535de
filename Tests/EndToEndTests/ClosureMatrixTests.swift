// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

extension BuildModeTests {
  /// Closures of many types, each passed to functions of many kinds. What can be overridden is called once, by an override;
  /// what cannot is refused, and goes on.
  @Suite struct ClosureMatrixTests {
    private let program: BuildModeTests

    init() throws {
      program = try BuildModeTests.allowingCodeEntries()
    }

    private struct Point: Decodable {
      let form: String
      let owner: String
      let refused: String?
      let declaration: String
      let selector: String
    }

    private struct Points: Decodable { let points: [Point] }

    private struct Listed: Decodable {
      struct Patch: Decodable { let overrides: [Override] }
      struct Override: Decodable {
        let selector: String
        let calls: Int
      }
      let patches: [Patch]
    }

    private func looked<Value: Decodable>(_ file: String, as type: Value.Type) throws -> Value {
      try JSONDecoder().decode(
        type, from: Data(contentsOf: URL(fileURLWithPath: "\(program.shell.path)/\(file)")))
    }

    private func patch(_ points: [Point], _ body: (Point) -> String) -> String {
      points.map { point in
        let name = point.form.drop { $0 != "[" }
        return "do local T = \(point.owner) T\(name) = function(...) \(body(point)) end end\n"
      }.joined()
    }

    /// What the program prints, by case.
    private func cases(_ answer: String) -> [String: String] {
      answer.split(separator: ";").reduce(into: [:]) { found, part in
        let text = part.trimmingCharacters(in: .whitespaces)
        guard let colon = text.firstIndex(of: ":") else { return }
        found[String(text[..<colon])] = String(text[text.index(after: colon)...])
      }
    }

    @Test(arguments: ["-O -wmo", "-O", "-Onone"])
    func `what is accepted is called, and nothing else changes`(flags: String) throws {
      let matrix = ClosureMatrix()
      try program.shell.directory.write(ClosureMatrix.library, to: "Web.swift")
      try program.shell.directory.write(matrix.main, to: "main.swift")
      expectSuccess(
        try program.shell.bash(
          """
          set -e
          PATH="\(BuildModeTests.path)"
          swiftc \(flags) -swift-version 5 -parse-as-library -module-name Web -emit-library -o libWeb.so \
            -emit-module -emit-module-path Web.swiftmodule Web.swift
          swiftc \(flags) -swift-version 5 -module-name modes -o modes -I . -L . -lWeb \
            -Xlinker -rpath -Xlinker '$ORIGIN' main.swift
          """))
      let seen = try program.run(
        "local none", looking: "waxwing points --program modes --closures --json >points.json")
      #expect(seen.patched == seen.before)
      let points = try looked("points.json", as: Points.self).points
      let accepted = points.filter { $0.refused == nil }
      // Of most closures no function is left where the optimiser knows what calls them.
      #expect(accepted.count >= (flags == "-Onone" ? 150 : 20), "\(accepted.count)")

      let passed = try program.run(patch(accepted) { _ in "return original(...)" })
      program.expectNoChange(passed)
      let calls = try looked("list.json", as: Listed.self).patches.flatMap(\.overrides)
      let byName = Dictionary(grouping: calls, by: \.selector).mapValues {
        $0.map(\.calls).reduce(0, +)
      }
      let missed = byName.filter { $0.key.contains("case") && $0.value != 1 }
      expectEqual(missed.map { "\($0.key): \($0.value) calls" }.sorted(), [])

      let changed = try program.run(
        patch(accepted) { point in
          let changed = point.form.contains("case") ? ClosureMatrix.changed[point.declaration] : nil
          return changed ?? "return original(...)"
        })
      var expected = cases(changed.before)
      for entry in matrix.cases {
        let point = accepted.first { $0.form.contains("closure #1 in \(entry.name)()") }
        if let point, ClosureMatrix.changed[point.declaration] != nil {
          expected[entry.name] = entry.changed
        }
      }
      let patched = cases(changed.patched)
      expectEqual(
        patched.map { "\($0):\($1)" }.sorted(), expected.map { "\($0):\($1)" }.sorted())
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }
  }
}

/// A program in which closures of many types are passed to functions of many kinds.
struct ClosureMatrix {
  /// A type of closures.
  private struct Kind {
    let parameters: [String]
    let result: String
    /// The parameters are `a` and `b`.
    let body: String
    let arguments: [String]
    var isThrowing = false

    var type: String {
      "(\(parameters.joined(separator: ", ")))\(isThrowing ? " throws" : "") -> \(result)"
    }
  }

  private static let kinds = [
    Kind(parameters: [], result: "Void", body: "", arguments: []),
    Kind(parameters: [], result: "Int", body: "return NUMBER + 1", arguments: []),
    Kind(parameters: [], result: "String", body: "return \"s\\(NUMBER)\"", arguments: []),
    Kind(parameters: [], result: "Item", body: "return Item(NUMBER)", arguments: []),
    Kind(parameters: [], result: "any Named", body: "return Price(NUMBER)", arguments: []),
    Kind(
      parameters: ["Int"], result: "String", body: "return \"s\\(a + NUMBER)\"",
      arguments: ["number()"]),
    Kind(
      parameters: ["String"], result: "Int", body: "return a.count + NUMBER", arguments: ["text()"]),
    Kind(
      parameters: ["any Named"], result: "Void", body: "note(a.name)",
      arguments: ["Price(number())"]),
    Kind(
      parameters: ["any Named", "(any Named)?"], result: "Void",
      body: "note(a.name + (b?.name ?? \"\"))",
      arguments: ["Price(number())", "Item(number())"]),
    Kind(
      parameters: ["any Named"], result: "any Named", body: "return a",
      arguments: ["Item(number())"]),
    Kind(
      parameters: ["Result<Int, any Error>"], result: "Void", body: "note(\"\\(a)\")",
      arguments: [".success(number())"]),
    Kind(
      parameters: ["Int"], result: "Int", body: "if a < 0 { throw Failure() }; return a + NUMBER",
      arguments: ["number()"], isThrowing: true),
    Kind(
      parameters: [], result: "Void", body: "if NUMBER < 0 { throw Failure() }", arguments: [],
      isThrowing: true),
    Kind(parameters: ["Item"], result: "Item", body: "return a", arguments: ["Item(number())"]),
    Kind(parameters: ["Big"], result: "Big", body: "return a", arguments: ["Big(number())"]),
    Kind(parameters: ["Int?"], result: "Int?", body: "return a", arguments: ["number()"]),
    Kind(
      parameters: ["(Int, String)"], result: "Void", body: "note(a.1)",
      arguments: ["(number(), text())"]),
    Kind(parameters: ["[Int]"], result: "[Int]", body: "return a", arguments: ["[number()]"]),
    Kind(
      parameters: ["Double"], result: "Double", body: "return a", arguments: ["Double(number())"]),
    Kind(parameters: ["Any"], result: "Void", body: "note(\"\\(a)\")", arguments: ["number()"]),
  ]

  /// What an override returns, by the type of the closure as lists show it. What is left out calls the original.
  static let changed = [
    "() -> ()": "return", "() -> Int": "return 777", "() -> String": "return 'changed'",
    "(Int) -> String": "return 'changed'", "(String) -> Int": "return 777",
    "(any Web.Named) -> ()": "return", "(Result<Int, any Error>) -> ()": "return",
    "(Int) throws -> Int": "return 777", "() throws -> ()": "return", "(Any) -> ()": "return",
    "((Int, String)) -> ()": "return", "(Double) -> Double": "return 777.0",
    "(any Web.Named, (any Web.Named)?) -> ()": "return",
  ]

  struct Case {
    let name: String
    /// What is printed if the closure is overridden so.
    let changed: String
    let text: String
  }

  let cases: [Case]

  init() {
    var cases: [Case] = []
    for kind in Self.kinds {
      for taker in Self.takers where taker.fits(kind.parameters.count, kind.isThrowing) {
        for captures in [true, false] {
          let name = "case\(cases.count)"
          let body = kind.body.replacingOccurrences(of: "NUMBER", with: captures ? "n" : "number()")
          let list = zip(["a", "b"], kind.parameters).map { "\($0): \($1)" }.joined(separator: ", ")
          let closure =
            "{ (\(list))\(kind.isThrowing ? " throws" : "") -> \(kind.result) in note(\"ran \(name)\"); \(body) }"
          let call =
            (kind.isThrowing || taker.isThrowing ? "try" + "! " : "")
            + taker.call(closure, kind.arguments)
          let isVoid = kind.result == "Void"
          cases.append(
            Case(
              name: name, changed: isVoid ? "" : " =\(Self.values[kind.result] ?? "")",
              text: """
                @inline(never) func \(name)() {
                  \(captures ? "let n = number()" : "")
                  \(isVoid ? call : "let result = \(call); note(\"=\\(result)\")")
                  flush("\(name)")
                }
                """))
        }
      }
    }
    self.cases = cases
  }

  private static let values = ["Int": "777", "String": "changed", "Double": "777.0"]

  private struct Taker {
    /// With `CLOSURE` and `ARGUMENTS`.
    let text: String
    var mostParameters = 2
    var leastParameters = 0
    var isThrowing = false
    var takesNoThrowing = false

    func fits(_ count: Int, _ isThrowing: Bool) -> Bool {
      leastParameters...mostParameters ~= count && !(isThrowing && takesNoThrowing)
    }

    func call(_ closure: String, _ arguments: [String]) -> String {
      let text = text.replacingOccurrences(of: "COUNT", with: "\(arguments.count)")
      return text.replacingOccurrences(of: "CLOSURE", with: closure)
        .replacingOccurrences(
          of: "ARGUMENTS", with: arguments.map { ", \($0)" }.joined()
        )
        .replacingOccurrences(of: "VALUES", with: arguments.joined(separator: ", "))
    }
  }

  private static let takers = [
    // A function of another module, one that is inlined, and one of which the optimiser makes copies.
    Taker(text: "opaqueCOUNT(CLOSUREARGUMENTS)"),
    Taker(text: "inlinedCOUNT(CLOSUREARGUMENTS)"),
    Taker(text: "copiedCOUNT(CLOSUREARGUMENTS)"),
    // Typed errors.
    Taker(text: "typedCOUNT(CLOSUREARGUMENTS)", isThrowing: true),
    // A closure that another one calls, as `map` of futures does.
    Taker(
      text: "future(VALUES).mapped(CLOSURE).value", mostParameters: 1, leastParameters: 1,
      takesNoThrowing: true),
    // A method of a protocol, and of a class.
    Taker(text: "runner().runCOUNT(CLOSUREARGUMENTS)"),
    Taker(text: "Kept(CLOSURE).functions[number() - 7](VALUES)"),
  ]

  var main: String {
    """
    import Glibc
    import Web

    setvbuf(stdout, nil, _IOLBF, 0)
    \(Self.takerTexts)
    \(cases.map(\.text).joined(separator: "\n"))
    while readLine() != nil {
    \(cases.map { "  \($0.name)()" }.joined(separator: "\n"))
      print("--")
    }
    """
  }

  private static let takerTexts = """
    @inline(never) func copied0<R>(_ f: @escaping () throws -> R) rethrows -> R { return try f() }
    @inline(never) func copied1<A, R>(_ f: @escaping (A) throws -> R, _ a: A) rethrows -> R { return try f(a) }
    @inline(never) func copied2<A, B, R>(_ f: @escaping (A, B) throws -> R, _ a: A, _ b: B) rethrows -> R {
      return try f(a, b)
    }
    struct Kept<F> {
      let functions: [F]
      init(_ f: F) { functions = [f] }
    }
    """

  static let library = """
    public protocol Named { var name: String { get } }
    public struct Price: Named, CustomStringConvertible {
      let cents: Int
      public init(_ cents: Int) { self.cents = cents }
      public var name: String { "price \\(cents)" }
      public var description: String { name }
    }
    public final class Item: Named, CustomStringConvertible {
      let cents: Int
      public init(_ cents: Int) { self.cents = cents }
      public var name: String { "item \\(cents)" }
      public var description: String { name }
    }
    public struct Big { public var a, b, c, d, e: Int; public init(_ n: Int) { (a, b, c, d, e) = (n, n, n, n, n) } }
    public struct Failure: Error { public init() {} }
    nonisolated(unsafe) var notes: [String] = []
    @inline(never) public func note(_ text: String) { notes.append(text) }
    public func flush(_ name: String) {
      print("\\(name): \\(notes.joined(separator: " "));")
      notes = []
    }
    @inline(never) public func number() -> Int { base }
    nonisolated(unsafe) var base = 7
    @inline(never) public func text() -> String { "t\\(base)" }

    public func opaque0<R>(_ f: @escaping () throws -> R) rethrows -> R { try f() }
    public func opaque1<A, R>(_ f: @escaping (A) throws -> R, _ a: A) rethrows -> R { try f(a) }
    public func opaque2<A, B, R>(_ f: @escaping (A, B) throws -> R, _ a: A, _ b: B) rethrows -> R { try f(a, b) }

    @inlinable public func inlined0<R>(_ f: @escaping () throws -> R) rethrows -> R { return try f() }
    @inlinable public func inlined1<A, R>(_ f: @escaping (A) throws -> R, _ a: A) rethrows -> R {
      return try f(a)
    }
    @inlinable public func inlined2<A, B, R>(_ f: @escaping (A, B) throws -> R, _ a: A, _ b: B) rethrows -> R {
      return try f(a, b)
    }

    public func typed0<R, E: Error>(_ f: () throws(E) -> R) throws(E) -> R { try f() }
    public func typed1<A, R, E: Error>(_ f: (A) throws(E) -> R, _ a: A) throws(E) -> R { try f(a) }
    public func typed2<A, B, R, E: Error>(_ f: (A, B) throws(E) -> R, _ a: A, _ b: B) throws(E) -> R { try f(a, b) }

    public final class Future<A> {
      public var made: A?
      public var after: [() -> Void] = []
      @inlinable public init(_ made: A?) { self.made = made }
      @inlinable public func mapped<B>(_ f: @escaping (A) -> B) -> Future<B> {
        let next = Future<B>(nil)
        whenMade { next.made = f($0) }
        return next
      }
      @inlinable func whenMade(_ f: @escaping (A) -> Void) { add { f(self.made!) }; run() }
      @inlinable func add(_ f: @escaping () -> Void) { after.append(f) }
      @usableFromInline func run() { for f in after { f() } }
      @inlinable public var value: A { made! }
    }
    @inlinable public func future<A>(_ a: A) -> Future<A> { Future(a) }

    public protocol Runner {
      func run0<R>(_ f: @escaping () throws -> R) rethrows -> R
      func run1<A, R>(_ f: @escaping (A) throws -> R, _ a: A) rethrows -> R
      func run2<A, B, R>(_ f: @escaping (A, B) throws -> R, _ a: A, _ b: B) rethrows -> R
    }
    struct Straight: Runner {
      func run0<R>(_ f: @escaping () throws -> R) rethrows -> R { try f() }
      func run1<A, R>(_ f: @escaping (A) throws -> R, _ a: A) rethrows -> R { try f(a) }
      func run2<A, B, R>(_ f: @escaping (A, B) throws -> R, _ a: A, _ b: B) rethrows -> R { try f(a, b) }
    }
    @inline(never) public func runner() -> any Runner { Straight() }
    """
}
