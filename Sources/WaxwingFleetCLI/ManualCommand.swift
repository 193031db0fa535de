// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// `man`: the manual, made from what `--help` is made from.
struct ManualCommand: FleetCommand {
  let program: FleetProgram
  let name = "man"
  let summary = "prints the program's page of the manual, or writes all pages"
  let usage = ["[--folder DIR]"]
  let options = [Option("--folder", "DIR", "write all pages into this folder", .folder)]
  let notes = [
    """
    The pages are in the language of man(7). Their date is today's, or that of SOURCE_DATE_EPOCH, seconds
    since 1970, so that a package can be built again byte by byte.
    """
  ]
  let usesStore = false

  func run(_ arguments: FleetArguments, _ console: FleetConsole) throws(FleetError) -> FleetExit {
    guard let date = ManualDate.today() else {
      throw FleetError(
        .invalid, "SOURCE_DATE_EPOCH is not a number of seconds: '\(ManualDate.variable)'",
        remedy: "set it to seconds since 1970, or not at all")
    }
    guard let folder = arguments["--folder"] else {
      console.print(document: ManualPage.of(program.description, date).text)
      return .success
    }
    for page in ManualPage.all(program.description, date) {
      guard let path = page.write(into: folder) else { continue }
      throw FleetError(
        .invalid, "cannot write \(path)", remedy: "make the folder, and see that it is yours")
    }
    return .success
  }
}
