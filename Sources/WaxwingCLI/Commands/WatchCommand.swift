// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import WaxwingControl
import WaxwingToolKit

/// `waxwing watch`: applies patches again whenever they are saved.
struct WatchCommand: Command {
  let name = "watch"
  let summary = "applies patches again whenever they are saved, and ends them at its own end"
  let usage = ["PATH [PROGRAM | --program NAME | --socket PATH] [--json]"]
  let arguments = [
    Argument(
      "PATH", "a patch, or a folder of patches: a .lua file, or a folder with main.lua", .patchFile),
    .daemon,
  ]
  let options = Option.daemon + [.jsonLines]
  let notes = [
    """
    A saved patch replaces the one that was applied before, whatever its version. If it is refused,
    the error is shown and the one before stays live. Messages and failures of the patches are shown
    as they happen. A patch whose file is removed ends. If the daemon restarts, the patches are
    applied to it again.
    """,
    """
    Ctrl-C ends the patches that this command has applied, and then the command.
    """,
  ]
  let examples = ["waxwing watch overdraft.lua", "waxwing watch patches/ --program bankd"]
  let argumentCount = 1...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = arguments.positional[0]
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandError(.refused, "there is no \(path)", remedy: "name a patch, or a folder")
    }
    let socket = try DaemonLocator(arguments).path()
    var watch = PatchWatch(path, socket, arguments, console)
    try watch.begin()
    Interruption.catchSignals()
    while !Interruption.hasCome {
      watch.look()
      usleep(200_000)
    }
    watch.end()
    return .success
  }
}
