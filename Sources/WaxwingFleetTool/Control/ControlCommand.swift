// SPDX-License-Identifier: MIT

import Glibc
import WaxwingFleet
import WaxwingToolKit

/// `waxwing-fleet control`: the controller.
struct ControlCommand: FleetCommand {
  let name = "control"
  let summary = "judges rollouts, moves them on, and rolls back what does harm"
  let usage = ["[--name NAME] [--every TIME] [--once]"]
  let options = [
    Option("--name", "NAME", "what the log calls it (default: the host's name and a number)"),
    Option("--every", "TIME", "how often it looks (default 2s)"),
    Option("--once", nil, "look once, and end: exit code 10 if another controller leads"),
  ]
  let notes = [
    """
    Run it on two or three hosts: one leads, the others take its place within 15 seconds. A
    controller keeps nothing on its host. Without one, no rollout moves on, and none is rolled back
    automatically.
    """
  ]

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let store = try FleetStore(arguments)
    let name = arguments["--name"] ?? "\(HostName.own)-\(getpid())"
    let seconds = try arguments.wholeSeconds("--every") ?? 2
    guard (1...60).contains(seconds) else {
      throw FleetError(
        .invalid, "--every needs a time between 1s and 60s",
        remedy: "leave it out for 2s")
    }
    let controller = FleetController(
      backend: store.backend, keys: store.keys, verifier: store.verifier, name: name)
    defer { controller.stop() }
    if arguments.has(once) {
      return report(try controller.round(clock: MonotonicClock.milliseconds), console)
        ? .success : .degraded
    }
    let signals = StopSignals()
    console.print("\(name) watches \(store.keys.fleet) in \(store.backend.title)")
    var last: FleetController.Round?
    var trouble: FleetError?
    repeat {
      do throws(FleetError) {
        var round: FleetController.Round
        repeat {
          round = try controller.round(clock: MonotonicClock.milliseconds)
          if case .follows = round, last == .follows { break }
          report(round, console)
          last = round
          // After a change there is something to be recorded at once.
        } while round.hasChanged
        if trouble != nil { console.print("the store answers again") }
        trouble = nil
      } catch {
        if error.code == .denied { throw error }
        if trouble != error { console.report(CommandError(error)) }
        trouble = error
      }
    } while !signals.come(within: seconds * 1000)
    return .success
  }

  private var once: Option { options[2] }

  /// - Returns: Whether this controller leads.
  @discardableResult
  private func report(_ round: FleetController.Round, _ console: Console) -> Bool {
    switch round {
    case .follows:
      console.print("another controller leads")
      return false
    case .led(let lines):
      if !lines.isEmpty { console.print(lines) }
      return true
    }
  }
}
