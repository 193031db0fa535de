// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// `waxwing-fleet doctor`: documents that the fleet's programs cannot read.
struct FleetDoctorCommand: FleetCommand {
  let name = "doctor"
  let summary = "looks for documents that cannot be read or trusted, and says what to do"
  let usage = ["[--json]"]
  let options = [Option.json]
  let notes = ["The exit code is 10 if it finds something."]

  private struct Row: Encodable {
    let key: String
    let what: String
    let remedy: String
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let store = try FleetStore(arguments)
    let defects = try FleetInspection(store.backend, store.keys, store.verifier).defects
    if arguments.has(.json) {
      try console.print(
        json: defects.map { Row(key: store.keys.key($0.key), what: $0.what, remedy: $0.remedy) })
    } else {
      console.print(
        defects.isEmpty
          ? ["all documents can be read"]
          : defects.flatMap { ["\(store.keys.key($0.key)): \($0.what)", "  \($0.remedy)"] })
    }
    return defects.isEmpty ? .success : .degraded
  }
}
