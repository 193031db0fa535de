// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingFleetCLI

extension FleetOption {
  static let why = FleetOption("--why", "TEXT", "the reason, for the history")
}

/// `waxwing-fleet pause`: the stage stays what it is.
struct PauseCommand: FleetCommand {
  let name = "pause"
  let summary = "lets the current rollout stay at its stage"
  let usage = ["[--why TEXT] [--json]"]
  let options = [FleetOption.why, .json]

  func run(_ arguments: FleetArguments, _ console: FleetConsole) throws(FleetError) -> FleetExit {
    try StateChange(arguments, console).make("paused") { state, why throws(FleetError) in
      guard state.phase == .rolling else { throw .phase(state, "it does not go on") }
      return state.changed(to: .paused, why: why, by: Operator.name)
    }
  }
}

/// `waxwing-fleet resume`: a paused rollout goes on.
struct ResumeCommand: FleetCommand {
  let name = "resume"
  let summary = "lets a paused rollout go on"
  let usage = ["[--why TEXT] [--json]"]
  let options = [FleetOption.why, .json]

  func run(_ arguments: FleetArguments, _ console: FleetConsole) throws(FleetError) -> FleetExit {
    try StateChange(arguments, console).make("resumed") { state, why throws(FleetError) in
      guard state.phase == .paused else { throw .phase(state, "it is not paused") }
      return state.changed(to: .rolling, why: why, by: Operator.name)
    }
  }
}

/// `waxwing-fleet abort`: all nodes go back to the set before.
struct AbortCommand: FleetCommand {
  let name = "abort"
  let summary = "ends the current rollout: all nodes go back to the set before"
  let usage = ["[--why TEXT] [--bad] [--json]"]
  let options = [
    FleetOption.why,
    FleetOption("--bad", nil, "marks the set as bad, so that it is not started again"),
    .json,
  ]

  func run(_ arguments: FleetArguments, _ console: FleetConsole) throws(FleetError) -> FleetExit {
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
  private let arguments: FleetArguments
  private let console: FleetConsole

  init(_ arguments: FleetArguments, _ console: FleetConsole) {
    self.arguments = arguments
    self.console = console
  }

  func make(
    _ event: String, _ change: (RolloutState, String) throws(FleetError) -> RolloutState
  ) throws(FleetError) -> FleetExit {
    let fleet = try FleetAccess(arguments)
    let why = arguments["--why"] ?? ""
    let state = try fleet.change { state throws(FleetError) in try change(state, why) }
    try fleet.log(FleetLogEntry(event, by: state.by, rollout: state.rollout, why: why))
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
