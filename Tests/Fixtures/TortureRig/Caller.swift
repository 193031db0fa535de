// SPDX-License-Identifier: MIT

import SeededRandom
import TortureFixture
import TorturePlain
import TortureProbe

/// Makes calls on one thread, or in one task, and judges their results.
struct Caller {
  private let targets: Targets
  private let kinds: [TortureKind]
  private let chronicle: Chronicle
  private var random: SeededGenerator
  private(set) var witness: Witness
  /// What the entry of the free function held a while ago.
  private var lateWord = torture_late_word()
  /// Bodies of `descend` that calls asked for.
  private(set) var descents = 0
  /// Some that were made before, the latest of each place.
  private var lamps: [Int: TortureLamp] = [:]

  /// - Parameter isTask: Whether it may call what is async.
  init(_ targets: Targets, _ chronicle: Chronicle, isTask: Bool, seed: UInt64) {
    self.targets = targets
    kinds = TortureKind.allCases.filter {
      !TortureKind.waiting.contains($0) && (isTask || !$0.isAsync)
    }
    self.chronicle = chronicle
    random = SeededGenerator(seed: seed)
    witness = Witness(chronicle)
  }

  /// Lets go of what outlives calls.
  mutating func dropLamps() {
    lamps = [:]
  }

  mutating func forget() {
    witness.forget()
    descents = 0
  }

  private var subject: TortureSubject { targets.subject }

  /// Makes one call of a function that is not async.
  /// - Throws: `Violation`
  mutating func call(_ kind: TortureKind) throws {
    let n = Int.random(in: 0..<1000, using: &random)
    let begin = chronicle.now
    switch kind {
    case .number: try witness.judge(Trace(subject.number(n)), of: kind, since: begin)
    case .text: try callText("text-\(n)", begin)
    case .token: try callToken(begin)
    case .risky: try callRisky(n, begin)
    case .apply: try callApply(n, begin)
    case .generic: try callGeneric(n, begin)
    case .descend: try callDescend(n % 12)
    case .nested: try callNested(begin)
    case .late: try callLate(n, begin)
    case .lamp: try callLamp(n, begin)
    case .plain: try witness.judge(Trace(targets.shop.plain(n)), of: kind, since: begin)
    case .rule: try witness.judge(Trace(targets.rule(n)), of: kind, since: begin)
    case .blocks, .holds, .later, .route: break
    }
  }

  /// Makes one call of some function.
  /// - Throws: `Violation`
  mutating func callInTask(_ kind: TortureKind) async throws {
    let n = Int.random(in: 0..<1000, using: &random)
    let begin = chronicle.now
    switch kind {
    case .later:
      let result = await subject.later(n)
      try witness.judge(Trace(result), of: kind, since: begin)
    case .route: try await callRoute(n, begin)
    default: try call(kind)
    }
  }

  mutating func chooseKind() -> TortureKind {
    kinds.randomElement(using: &random) ?? .number
  }
}

// MARK: - Calls

extension Caller {
  private mutating func callText(_ argument: String, _ begin: Int) throws {
    let result = subject.text(argument)
    guard let trace = Trace(text: result, argument: argument) else {
      throw Violation("text(\"\(argument)\") gave \"\(result)\"")
    }
    try witness.judge(trace, of: .text, since: begin)
  }

  private mutating func callToken(_ begin: Int) throws {
    let given = TortureToken(nil)
    let result = subject.token(given)
    try witness.judge(Trace(result.trace), of: .token, since: begin)
    let isLinked = result.previous.map { ObjectIdentifier($0) == ObjectIdentifier(given) }
    try require(isLinked == true, "token() gave a token that was not made of its argument")
  }

  private mutating func callRisky(_ n: Int, _ begin: Int) throws {
    do {
      let result = try subject.risky(n)
      try require(n % 2 == 0, "risky(\(n)) gave \(result), and did not throw")
      try witness.judge(Trace(result), of: .risky, since: begin)
    } catch let fault as TortureFault {
      try require(n % 2 == 1, "risky(\(n)) threw \(fault)")
      try witness.judge(Trace(fault.trace), of: .risky, since: begin)
    }
  }

  private mutating func callRoute(_ n: Int, _ begin: Int) async throws {
    do {
      let result = try await targets.route(n)
      try require(n % 2 == 0, "route(\(n)) gave \(result), and did not throw")
      try witness.judge(Trace(result), of: .route, since: begin)
    } catch let fault as TortureFault {
      try require(n % 2 == 1, "route(\(n)) threw \(fault)")
      try witness.judge(Trace(fault.trace), of: .route, since: begin)
    }
  }

  private mutating func callApply(_ n: Int, _ begin: Int) throws {
    var given: [Int] = []
    let result = subject.apply(
      { value in
        given.append(value)
        return 0
      }, n)
    try require(given == [n], "apply's closure was called with \(given), not once with \(n)")
    try witness.judge(Trace(result), of: .apply, since: begin)
  }

  private mutating func callGeneric(_ n: Int, _ begin: Int) throws {
    let result =
      switch n % 4 {
      case 0: subject.generic(n)
      case 1: subject.generic("text \(n)")
      case 2: subject.generic(TortureToken(nil))
      default: subject.generic(Double(n))
      }
    try witness.judge(Trace(result), of: .generic, since: begin)
  }

  private mutating func callDescend(_ depth: Int) throws {
    let result = subject.descend(depth)
    descents += depth + 1
    try require(result == depth, "descend(\(depth)) gave \(result)")
  }

  /// The new lamp takes the place of another, which may be of a patch that has ended.
  private mutating func callLamp(_ n: Int, _ begin: Int) throws {
    let lamp = subject.lamp(n)
    try witness.judge(Trace(lamp.trace), of: .lamp, since: begin)
    try judge(lamp)
    lamps[n % 8] = lamp
    if let old = lamps[n / 8 % 8] { try judge(old) }
  }

  /// A lamp answers with the code of the patch that made it, or of a newer version.
  private func judge(_ lamp: TortureLamp) throws {
    let trace = Trace(lamp.trace)
    let glow = lamp as? any TortureGlow
    guard let made = trace.generations.first else {
      try require(lamp.shine() == "" && glow == nil, "a lamp of the program is a patch's")
      return
    }
    for (what, seen) in [("shine", lamp.shine()), ("glow", glow.map { $0.glow() } ?? "nobody's")] {
      let numbers = seen.split { ":.".contains($0) }.compactMap { Int($0) }
      let begins = "lamp \(trace): \(what) gave '\(seen)',"
      try require(numbers.count == 2, "\(begins) not one answer")
      let (maker, code) = (numbers[0], numbers[1])
      try require(chronicle.isVersion(maker, of: made, .lamp), "\(begins) not of \(made)")
      try require(chronicle.isVersion(code, of: maker, .lamp), "\(begins) not of its versions")
    }
    try require(glow?.isWarm == true, "lamp \(trace) is not warm")
  }

  /// Each override calls `number` once, and so does the original.
  private mutating func callNested(_ begin: Int) throws {
    let sink = TortureSink()
    let trace = Trace(subject.nested(sink))
    for inner in sink.traces { try witness.judge(Trace(inner), of: .number, since: begin) }
    try witness.judge(trace, of: .nested, since: begin, ordered: false)
    try require(
      sink.traces.count == trace.generations.count + 1,
      "nested gave \(trace), and \(sink.traces.count) calls were made in it")
  }

  /// As a thread does that was held up between reading the entry and going where it says.
  private mutating func callLate(_ n: Int, _ begin: Int) throws {
    let isLate = Bool.random(using: &random)
    let result = isLate ? torture_call_late(lateWord, n) : tortureLate(n)
    try witness.judge(Trace(result), of: .late, since: begin)
    if Int.random(in: 0..<16, using: &random) == 0 { lateWord = torture_late_word() }
  }
}
