// SPDX-License-Identifier: MIT

/// Treated nodes of one build against untreated ones.
struct BuildComparison {
  let build: String
  let treated: GroupTotals
  let control: GroupTotals
  /// The counts of untreated nodes before the stage, used if there are too few untreated nodes now.
  let reference: GroupTotals?
  let gates: RolloutGates

  var traffic: GateFinding {
    let calls = Decimals.whole(treated.calls)
    let isEnough = treated.calls >= Double(gates.minimumCalls)
    return GateFinding(
      gate: .traffic, weight: isEnough ? .passed : .missing,
      words: isEnough
        ? "\(calls) calls of overrides on \(named)"
        : "too little traffic on \(named): \(calls) calls of overrides, \(gates.minimumCalls) are needed"
    )
  }

  var faults: GateFinding {
    let share = treated.calls > 0 ? treated.faults / treated.calls : 0
    let words =
      "\(Decimals.whole(treated.faults)) of \(Decimals.whole(treated.calls)) calls of overrides failed on \(named)"
    let isJudged = treated.calls >= Double(gates.minimumFaultCalls)
    // More faults than calls are possible: a call counts when it ends.
    let isHarm = isJudged && share > gates.maximumFaultRatio
    return GateFinding(gate: .faults, weight: isHarm ? .harm : .passed, words: words)
  }

  /// The program's own counters. A program that has none, on either side, is not asked for any.
  var errors: GateFinding {
    let other = comparable { $0.requests >= Double(gates.minimumErrorRequests) }
    if treated.counting == 0 && control.counting == 0 && (reference?.counting ?? 0) == 0 {
      return GateFinding(
        gate: .errors, weight: .passed, words: "the program on \(named) counts no errors itself")
    }
    guard treated.requests >= Double(gates.minimumErrorRequests), let other,
      let mine = treated.errorShare, let others = other.errorShare
    else {
      let words =
        "too few requests on \(named): \(Decimals.whole(treated.requests)) treated, "
        + "\(Decimals.whole((other ?? control).requests)) untreated, \(gates.minimumErrorRequests) are needed"
      return GateFinding(gate: .errors, weight: .missing, words: words)
    }
    let deviations = treated.deviations(from: other)
    let isHarm = mine - others > gates.maximumErrorIncrease && deviations > gates.errorSignificance
    let words =
      "\(Decimals.percent(mine)) of requests failed on treated nodes of \(named), "
      + "\(Decimals.percent(others)) on untreated ones"
    return GateFinding(gate: .errors, weight: isHarm ? .harm : .passed, words: words)
  }

  var latency: GateFinding {
    let other = comparable { $0.latency != nil }
    guard treated.latency != nil || other != nil else {
      return GateFinding(
        gate: .latency, weight: .passed, words: "the program on \(named) measures no latency")
    }
    guard let mine = treated.latency, let others = other?.latency else {
      let words =
        "no latency of \(treated.latency == nil ? "treated" : "untreated") nodes of \(named)"
      return GateFinding(gate: .latency, weight: .missing, words: words)
    }
    let isHarm =
      mine > gates.maximumLatencyFactor * others && mine - others > gates.minimumLatencyIncrease
    let words =
      "99 % of requests took up to \(Decimals.milliseconds(mine)) on treated nodes of \(named), "
      + "\(Decimals.milliseconds(others)) on untreated ones"
    return GateFinding(gate: .latency, weight: isHarm ? .harm : .passed, words: words)
  }

  /// The counts of the untreated nodes of now if they are enough, or else those of before.
  private func comparable(_ shows: (GroupTotals) -> Bool) -> GroupTotals? {
    if shows(control) { return control }
    return reference.flatMap { shows($0) ? $0 : nil }
  }

  private var named: String { build.isEmpty ? "an unknown build" : "build \(build.prefix(12))" }
}
