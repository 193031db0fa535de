// SPDX-License-Identifier: MIT

import WaxwingToolKit

/// `waxwing test`: runs the tests of patches in a program.
struct TestCommand: Command {
  let name = "test"
  let summary = "runs the tests of patches inside a program, with the patches and without"
  let usage = ["PATCH… [--program NAME | --socket PATH] [--json]"]
  let arguments = [
    Argument(
      "PATCH", "a folder with files *_spec.lua; or NAME.lua, beside NAME_spec.lua", .patchFile)
  ]
  let options = Option.daemon + [.json]
  let notes = [
    """
    The tests run in a daemon, in three phases: at baseline, with the patches live, and when they
    have ended. `it` runs with the patches; `baseline` before and after them, and has to return the
    same both times; `unchanged` in all phases. The patches end afterwards, but effects of the tests
    on the program remain: use a daemon that nobody else needs.
    """,
    """
    The output is TAP. The exit code is 1 if a test fails. --timeout is for each phase.
    """,
  ]
  let examples = ["waxwing test overdraft --program bankd", "waxwing test fees.lua --json"]
  let argumentCount = 1...16

  private struct Document: Encodable {
    let tests: Int
    let failures: Int
    let results: [TestResult]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let paths = arguments.positional
    let patches = try CheckedPatch.all(at: paths)
    var tests: [PatchTests] = []
    for (patch, path) in zip(patches, paths) { tests.append(try PatchTests(of: patch, at: path)) }
    let locator = try DaemonLocator(arguments)
    let socket = try locator.path(patchProgram: try CheckedPatch.program(of: patches))
    let isDocument = arguments.has(.json)
    var all: [TestResult] = []
    if !isDocument { console.print("TAP version 13") }
    let daemon = try TestRun(patches, tests, at: socket, arguments).run { phase, results in
      if !isDocument {
        console.print(["# \(phase)"] + Self.lines(results, from: all.count + 1))
      }
      all += results
    }
    let failures = all.count { !$0.ok }
    if isDocument {
      let document = Document(tests: all.count, failures: failures, results: all)
      try console.print(json: document, of: daemon)
    } else {
      console.print(["1..\(all.count)", "# \(counted(failures, "failure"))"])
    }
    guard !all.isEmpty else {
      throw CommandError(
        .refused, "the files declare no test", remedy: "see `waxwing test --help`")
    }
    return failures == 0 ? .success : .failure
  }

  private static func lines(_ results: [TestResult], from first: Int) -> [String] {
    zip(first..., results).flatMap { number, result -> [String] in
      // A mark would begin a directive; TAP's directive for a test that is still to be written is TODO.
      let name = result.name.replacing("#", with: "\\#")
      let directive = result.pending == true ? " # TODO pending" : ""
      let head = "\(result.ok ? "ok" : "not ok") \(number) - \(name)\(directive)"
      guard !result.ok else { return [head] }
      let message = (result.message ?? "").split(whereSeparator: \.isNewline)
      return [head, "  ---", "  at: \(result.at ?? "")", "  message: |"]
        + message.map { "    " + $0 } + ["  ..."]
    }
  }
}
