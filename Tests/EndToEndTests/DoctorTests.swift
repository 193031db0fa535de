// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// `waxwing doctor` on a daemon, and on copies of its file with something wrong.
@Suite struct DoctorTests {
  private struct Document: Decodable {
    struct Check: Decodable {
      let area, verdict, message, remedy: String
    }

    let failures, warnings: Int
    let checks: [Check]
  }

  /// Runs the tool in a folder that has the sockets, the kept patches and the audit log.
  private func doctor(
    _ arguments: [String], in folder: String, through launcher: String = ""
  ) throws -> CommandResult {
    let tool = try BuiltProduct("waxwing").path
    let words = ([tool, "doctor"] + arguments).map { "'\($0)'" }.joined(separator: " ")
    return try Command(
      "/bin/bash", ["-c", "\(launcher) \(words)"],
      environment: [
        "WAXWING_SOCKET_DIR": folder, "WAXWING_STATE_DIR": "\(folder)/state",
        "WAXWING_CONFIG_DIR": folder, "WAXWING_LOG_DIR": "\(folder)/log", "PATH": "/usr/bin:/bin",
      ], directory: folder
    ).run()
  }

  private func copy(_ folder: String, _ name: String = "bankd") throws -> String {
    let path = "\(folder)/\(name)"
    try ProgramCopy.make(try BuiltProduct("bankd").path, to: path)
    return path
  }

  @Test func `a daemon, its file and its folders are well`() throws {
    let bankd = try Bankd()
    let file = try BuiltProduct("bankd").path
    let result = try doctor([file], in: bankd.directory.path)
    expectSuccess(result)
    let lines = result.standardOutput.split(separator: "\n").map(String.init)
    #expect(lines[at: 0].hasPrefix("ok       program  \(file) is for x86_64, build "), "\(result)")
    #expect(
      lines.contains { $0.contains(" has symbols, and ") && $0.contains(" patch points in bankd") },
      "\(result)")
    #expect(
      lines.contains { $0.hasPrefix("ok       program  \(file): ") && $0.contains("overridden") },
      "\(result)")
    #expect(lines.contains { $0.hasPrefix("ok       lua      Lua 5.4.") }, "\(result)")
    let socket = "\(bankd.directory.path)/bankd.sock"
    #expect(lines.contains("ok       sockets  \(socket): bankd (pid \(bankd.process.pid)) answers"))
    #expect(lines.contains { $0.hasPrefix("ok       clock    it is ") }, "\(result)")
    #expect(try #require(lines.last).hasPrefix("0 failures, "), "\(result)")
  }

  @Test func `a facts file of another build is a warning`() throws {
    let directory = try TemporaryDirectory()
    let path = try copy(directory.path)
    let facts = try directory.write(
      #"{"build": "00ff", "format": 1, "functions": {}, "program": "bankd"}"#,
      to: "bankd.waxwing-facts")
    try expectSuccess(Command("/bin/chmod", ["644", facts]).run())
    let result = try doctor([path, "--static"], in: directory.path)
    expectContains(
      result.standardOutput,
      "warning  program  \(path).waxwing-facts is not used: it is for build 00ff of bankd, and this is "
    )
    expectContains(
      result.standardOutput, "; make it again where the program is built: waxwing facts \(path)")
  }

  @Test func `a stripped copy is a failure, and JSON has the same`() throws {
    let folder = try TemporaryDirectory()
    let path = try copy(folder.path)
    try expectSuccess(Command("/usr/bin/strip", [path]).run())
    let text = try doctor([path], in: folder.path)
    expectEqual("\(text.status)", "exited(1)")
    expectContains(
      text.standardOutput,
      "failure  program  \(path): the image is stripped: it has no .symtab, and its .dynsym names no "
        + "patch points; use the unstripped build\n")
    let json = try doctor([path, "--json"], in: folder.path)
    let document = try JSONDecoder().decode(Document.self, from: Data(json.standardOutput.utf8))
    let failed = document.checks.filter { $0.verdict == "failure" }
    #expect(document.failures == 1 && failed.map(\.area) == ["program"], "\(json)")
    expectEqual(failed.map(\.remedy), ["use the unstripped build"])
    expectEqual(document.warnings, document.checks.count { $0.verdict == "warning" })
  }

  @Test func `a program without patch points and without Waxwing`() throws {
    let folder = try TemporaryDirectory()
    let result = try doctor([try BuiltProduct("waxwing").path], in: folder.path)
    expectSuccess(result)
    expectContains(
      result.standardOutput,
      "has no functions that can be overridden without rewriting code, only async closures; add swiftSettings: "
    )
    let plain = try doctor([try BuiltProduct("selfkinds").path], in: folder.path)
    expectSuccess(plain)
    expectContains(
      plain.standardOutput,
      "does not link Waxwing; call WaxwingEngine.listen() in it, or start it with ")
  }

  @Test func `rights of the file are warnings`() throws {
    let folder = try TemporaryDirectory()
    let path = try copy(folder.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o4777], ofItemAtPath: path)
    let result = try doctor([path, "--static"], in: folder.path)
    expectSuccess(result)
    expectContains(
      result.standardOutput,
      "warning  program  \(path) can be written by other users; chmod go-w \(path)\n")
    expectContains(result.standardOutput, "is set-user-ID or set-group-ID: it ignores the WAXWING_")
  }

  @Test func `folders with a wrong mode are failures`() throws {
    let folder = try TemporaryDirectory()
    for name in ["state", "log"] {
      let path = "\(folder.path)/\(name)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    }
    let result = try doctor(["bankd"], in: folder.path)
    expectEqual("\(result.status)", "exited(1)")
    expectContains(
      result.standardOutput,
      "failure  state    the state folder \(folder.path)/state can be written by other users; "
        + "chmod go-w \(folder.path)/state\n")
    expectContains(
      result.standardOutput,
      "failure  log      \(folder.path)/log can be written by other users; "
        + "chmod go-w \(folder.path)/log\n")
  }

  @Test func `a program's folder that is open to others is a failure`() throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/state/bankd"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    try expectSuccess(doctor([], in: folder.path))
    let result = try doctor(["bankd"], in: folder.path)
    expectContains(
      result.standardOutput,
      "failure  state    the state folder \(path) is open to other users; chmod 700 \(path)\n")
  }

  @Test func `a clock before the program and the last record is a failure`() throws {
    let folder = try TemporaryDirectory()
    let path = try copy(folder.path)
    try expectSuccess(Command("/usr/bin/touch", ["-d", "2100-01-02T03:04:05Z", path]).run())
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/log", withIntermediateDirectories: true)
    let none = String(repeating: "0", count: 64)
    try folder.write(
      #"{"n":1,"time":"2101-01-01T00:00:00Z","event":"status","prev":"\#(none)"}"# + "\n",
      to: "log/bankd.audit")
    let result = try doctor([path, "--static"], in: folder.path)
    expectEqual("\(result.status)", "exited(1)")
    for moment in [
      "before \(path) was written at 2100-01-02T03:04:05Z; set the clock: ",
      "before the last record of \(folder.path)/log/bankd.audit at 2101-01-01T00:00:00Z; set the clock: ",
    ] {
      expectContains(result.standardOutput, moment)
    }
  }

  @Test func `limits of the shell are warnings`() throws {
    let folder = try TemporaryDirectory()
    let result = try doctor([], in: folder.path, through: "ulimit -n 64; ulimit -f 1024;")
    expectSuccess(result)
    expectContains(
      result.standardOutput,
      "warning  limits   only 64 open files: each client of a control socket is one; ulimit -n 256")
    expectContains(result.standardOutput, "warning  limits   files of at most 1024 KiB")
  }

  @Test func `a file without a build ID is a warning`() throws {
    let folder = try TemporaryDirectory()
    let path = try copy(folder.path)
    let stripped = try Command(
      "/usr/bin/objcopy", ["--remove-section", ".note.gnu.build-id", path]
    ).run()
    expectSuccess(stripped)
    let result = try doctor([path, "--static"], in: folder.path)
    expectContains(
      result.standardOutput,
      "warning  program  \(path) has no build ID: no patch can say that it is for this build alone; "
        + "link it with -Xlinker --build-id\n")
  }

  @Test func `what the optimizer has dropped, and a Swift runtime of its own, are warnings`() throws
  {
    let folder = try TemporaryDirectory()
    let path = try copy(folder.path)
    // As if the optimizer had dropped the type, and the standard library were linked statically.
    let changed = try Command(
      "/usr/bin/objcopy",
      [
        "--strip-symbol", "$s5bankd7AccountCMn", "--add-symbol",
        "swift_retain=.text:0,global,function", path,
      ]
    ).run()
    expectSuccess(changed)
    let result = try doctor([path, "--static"], in: folder.path)
    expectSuccess(result)
    expectContains(
      result.standardOutput,
      "warning  program  \(path): the optimizer has dropped the descriptions of 1 type: "
        + "bankd.Account; values of such types are opaque; ")
    expectContains(
      result.standardOutput,
      "warning  program  \(path) has a Swift runtime of its own (-static-stdlib); ")
  }

  @Test func `a daemon of another build than the file is a warning`() throws {
    let bankd = try Bankd()
    let path = try copy(bankd.directory.path)
    let note = "\(bankd.directory.path)/note"
    let changed = try Command(
      "/bin/bash",
      [
        "-c",
        """
        objcopy --dump-section .note.gnu.build-id='\(note)' '\(path)' \
        && printf '\\0\\0\\0' | dd of='\(note)' bs=1 seek=16 conv=notrunc status=none \
        && objcopy --update-section .note.gnu.build-id='\(note)' '\(path)'
        """,
      ], environment: ["PATH": "/usr/bin:/bin"]
    ).run()
    expectSuccess(changed)
    let result = try doctor([path, "--static"], in: bankd.directory.path)
    expectContains(
      result.standardOutput,
      "warning  sockets  \(bankd.directory.path)/bankd.sock: bankd (pid \(bankd.process.pid)) is "
        + "another build than the file, ")
    expectSuccess(result)
  }
}
