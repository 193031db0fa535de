// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

extension Option {
  static let why = Option("--why", "TEXT", "the reason, for the history")
}

/// `waxwing-fleet pause` and `resume`: keeps the rollout at its stage, or lets it go on.
struct PhaseCommand: FleetCommand {
  let name: String
  let summary: String
  /// The name of the event in the history.
  fileprivate let event: String
  /// The only phase in which it is possible.
  fileprivate let before: RolloutState.Phase
  fileprivate let after: RolloutState.Phase
  /// The reason why the command is not possible in another phase.
  fileprivate let refusal: String
  let usage = ["[--why TEXT] [--json]"]
  let options = [Option.why, .json]

  static let pause = PhaseCommand(
    name: "pause", summary: "lets the current rollout stay at its stage", event: "paused",
    before: .rolling, after: .paused, refusal: "it does not go on")
  static let resume = PhaseCommand(
    name: "resume", summary: "lets a paused rollout go on", event: "resumed", before: .paused,
    after: .rolling, refusal: "it is not paused")

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    try StateChange(arguments, console).make(event) { state, why throws(FleetError) in
      guard state.phase == before else { throw .phase(state, refusal) }
      return state.changed(to: after, why: why, by: Operator.name)
    }
  }
}

/// `waxwing-fleet abort`: all nodes go back to the set before.
struct AbortCommand: FleetCommand {
  let name = "abort"
  let summary = "ends the current rollout: all nodes go back to the set before"
  let usage = ["[--why TEXT] [--bad] [--json]"]
  let options = [
    Option.why,
    Option("--bad", nil, "marks the set as bad, so that it is not started again"),
    .json,
  ]

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let exit = try StateChange(arguments, console).make("aborted") {
      state, why throws(FleetError) in
      guard state.phase.isGoingOn else { throw .phase(state, "it does not go on") }
      return state.changed(to: .rollingBack, why: why, by: Operator.name)
    }
    guard arguments.has(options[1]) else { return exit }
    let fleet = try FleetAccess(arguments)
    guard let state = try fleet.state()?.state else { return exit }
    let set = try fleet.rollout(state.rollout).set
    let mark = BadSet(
      why: arguments["--why"] ?? "aborted", rollout: state.rollout, by: Operator.name)
    try fleet.store.backend.put(fleet.store.keys.key(.bad(set)), DocumentCoder.encode(mark))
    return exit
  }
}

/// A change of the state that an operator asks for.
private struct StateChange {
  private let arguments: ParsedArguments
  private let console: Console

  init(_ arguments: ParsedArguments, _ console: Console) {
    self.arguments = arguments
    self.console = console
  }

  func make(
    _ event: String, _ change: (RolloutState, String) throws(FleetError) -> RolloutState
  ) throws -> ExitCode {
    let fleet = try FleetAccess(arguments)
    let why = arguments["--why"] ?? ""
    let state = try fleet.change(event, why: why) { state throws(FleetError) in
      try change(state, why)
    }
    if arguments.has(.json) {
      try console.print(json: state)
    } else {
      console.print("\(event): rollout \(state.rollout.prefix(12))")
    }
    return .success
  }
}

extension FleetError {
  fileprivate static func phase(_ state: RolloutState, _ why: String) -> FleetError {
    FleetError(
      .conflict, "rollout \(state.rollout.prefix(12)) is \(state.phase.rawValue): \(why)",
      remedy: "look with `waxwing-fleet status`")
  }
}
