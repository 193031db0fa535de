// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingDeclarations
import WaxwingPatches
import WaxwingToolKit

/// `waxwing config`: checks configuration files, and has a daemon read its own again.
struct ConfigCommand: Command {
  let name = "config"
  let summary = "checks a program's configuration file, or makes its daemon read it again"
  let usage = [
    "check [FILE… | --program NAME] [--json]",
    "reload [PROGRAM | --program NAME | --socket PATH] [--json]",
  ]
  let arguments: [Argument] = [
    .word("check", "look for mistakes, without a daemon"),
    .word("reload", "make a daemon read its file again, without a restart"),
    Argument("FILE", "a configuration file (default: the program's, or all of them)", .file),
    Argument("PROGRAM", "reload: the daemon's program name", .daemon, at: 2),
  ]
  let options = Option.daemon + [.json]
  let notes = [
    """
    `check` prints every mistake with its line, and exits with 3 if there is one. `reload` needs the
    role `own`. If the file has a mistake, nothing changes, the mistakes are printed, and the exit code
    is 3. Changes to `socket-group`, `store` and `audit` take effect at the program's next start,
    changes to limits for patches that are applied afterwards.
    """
  ]
  let examples = [
    "waxwing config check /etc/waxwing/bankd.conf", "waxwing config check --program bankd",
    "waxwing config reload",
  ]
  let argumentCount = 1...64

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let files = Array(arguments.positional.dropFirst())
    switch arguments.positional[0] {
    case "check": try check(files, arguments, console)
    case "reload":
      guard files.count < 2 else {
        throw .usage("'reload' takes no further argument: '\(files[1])'", command: name)
      }
      try reload(files.first, arguments, console)
    case let word: throw unknownWord(word)
    }
    return .success
  }

  private func check(
    _ files: [String], _ arguments: ParsedArguments, _ console: Console
  ) throws(CommandError) {
    var mistakes: [String] = []
    let files = try self.files(files, arguments)
    for file in files {
      let found = Self.mistakes(in: file)
      mistakes += found
      if found.isEmpty, !console.reportsJSON { console.print("\(file): no mistakes") }
    }
    if mistakes.isEmpty, console.reportsJSON { try console.print(json: ["files": files]) }
    guard !mistakes.isEmpty else { return }
    throw CommandError(
      .refused,
      "\(counted(mistakes.count, "mistake")): any mistake disables patching until it is fixed",
      details: mistakes)
  }

  private static func mistakes(in file: String) -> [String] {
    do throws(ConfigurationErrors) {
      let found = try ConfigurationReader.read(file, limitNames: LimitNames.all)
      return found == nil ? ["\(file): there is no such file\(near(file))"] : []
    } catch {
      return error.errors.map(\.description)
    }
  }

  /// A hint at similar files in the configuration folder.
  private static func near(_ file: String) -> String {
    NearestNames.question(for: file, in: all).map { "; \($0)" } ?? ""
  }

  private func files(
    _ named: [String], _ arguments: ParsedArguments
  ) throws(CommandError) -> [String] {
    if let program = arguments["--program"] {
      guard named.isEmpty else {
        throw .usage("name files or a program, not both", command: name)
      }
      return ["\(ConfigurationFolder.path)/\(program).conf"]
    }
    let files = named.isEmpty ? Self.all : named
    guard !files.isEmpty else {
      throw CommandError(
        .refused, "there is no configuration file in \(ConfigurationFolder.path)",
        remedy: "name one, or set WAXWING_CONFIG_DIR to the folder that the daemon reads")
    }
    return files
  }

  /// All in the configuration folder.
  private static var all: [String] {
    let folder = ConfigurationFolder.path
    return FolderListing.names(in: folder).filter { $0.hasSuffix(".conf") }.sorted().map {
      "\(folder)/\($0)"
    }
  }

  private func reload(
    _ program: String?, _ arguments: ParsedArguments, _ console: Console
  ) throws(CommandError) {
    let daemon = try Daemon(at: try DaemonLocator(arguments, program: program).path(), arguments)
    let report = try daemon.send(ReloadRequest())
    if arguments.has(.json) { return try console.print(json: report, of: daemon.info) }
    let file = report.path ?? "there is no configuration file: the program's own policy holds"
    console.print("reloaded \(daemon.title): \(file)")
    for key in report.postponed {
      console.warn("`\(key)` takes effect at the program's next start")
    }
    for warning in report.warnings { console.warn(warning) }
  }
}
