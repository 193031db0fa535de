// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing doctor`: looks for what keeps patches from working here.
struct DoctorCommand: Command {
  private static let readsOnly = Option(
    "--static", nil, "only read the file of PROGRAM, and do not let it describe itself")

  let name = "doctor"
  let summary = "looks for what keeps patches from working here, and says what to do"
  let usage = ["[PROGRAM] [--static] [--json]"]
  let arguments = [
    Argument(
      "PROGRAM", "an executable file, written with a `/`, or the name of a program or an instance",
      .daemon, .file)
  ]
  let options = [readsOnly, Option.json]
  let notes = [
    """
    The command looks at the file of PROGRAM, at Lua, at the folders of sockets, kept patches and audit
    log with their space and permissions, at each socket, at the clock and at limits of resources. If
    PROGRAM is a file, the program is started, describes itself, and ends before its `main`, as with
    `points`. If PROGRAM is a name, the running daemons are asked.
    """,
    """
    Run it as the user that the program runs as, with the same WAXWING_ variables. It changes nothing,
    except that it removes the sockets of killed processes that chose no name for their instance, as
    `daemons` does. The exit code is 0 if there is no failure, and 1 otherwise; warnings do not count.
    """,
  ]
  let examples = [
    "waxwing doctor", "sudo -u bankd waxwing doctor ./bankd", "waxwing doctor --json",
  ]
  let argumentCount = 0...1

  private struct Document: Encodable {
    let failures, warnings: Int
    let checks: [Diagnosis]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let word = arguments.positional.first
    let file = word.flatMap { $0.contains("/") ? $0 : nil }
    let program = word.map { String($0.split(separator: "/").last ?? "") }
    if let word, let program, !Self.isName(program) {
      throw .usage("'\(word)' is neither a program nor an instance", command: name)
    }
    let checks = Self.checks(file: file, program, isStatic: arguments.has(Self.readsOnly))
    let failures = checks.count { $0.verdict == .failure }
    let warnings = checks.count { $0.verdict == .warning }
    if arguments.has(.json) {
      let document = Document(failures: failures, warnings: warnings, checks: checks)
      try console.print(json: document)
    } else {
      let counts = [counted(failures, "failure"), counted(warnings, "warning")]
      console.print(checks.map(\.line) + [counts.joined(separator: ", ")])
    }
    return failures == 0 ? .success : .failure
  }

  /// Whether the text is the name of a program or an instance, such as `bankd` or `bankd@blue`.
  private static func isName(_ text: String) -> Bool {
    guard let name = SocketName(file: text + ".sock") else { return false }
    return (try? SocketName(program: name.program, instance: name.instance)) != nil
  }

  private static func checks(
    file: String?, _ program: String?, isStatic: Bool
  ) -> [Diagnosis] {
    let executable = file.map { ProgramCheck(path: $0, isStatic: isStatic) }
    let places = StoredPlaces(of: program ?? "", folder: nil)
    let folders = FolderCheck(places, program: program)
    return (executable?.diagnoses ?? []) + LuaCheck.diagnoses
      + SocketCheck(program: program, buildID: executable?.buildID).diagnoses + folders.diagnoses
      + ClockCheck(file: file, auditLog: places.auditLog).diagnoses + LimitCheck.diagnoses
  }
}
