// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

/// The manual and completions of the fleet's programs, and how they are installed.
@Suite("Help of the fleet's programs") struct HelpTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ program: String, _ arguments: String...) throws -> CommandResult {
    let result = try Command(program, arguments).run(timeout: .seconds(120))
    #expect(result.isSuccess, "\(program) \(arguments): \(result)")
    return result
  }

  private func installed(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
  }

  @Test(arguments: [
    (["waxwing-fleet", "ro"], ["rollout"]), (["waxwing-fleet", "rollout", ""], ["start"]),
    (["waxwing-fleet", "rollout", "start", "--min-"], ["--min-calls", "--min-nodes"]),
    (["waxwing-fleet", "man", "--f"], ["--folder"]), (["waxwing-fleet", "help", "ha"], ["halt"]),
    (["waxwing-agent", "--tr"], ["--trial"]),
    (["waxwing-agent", "--etcd", "x", "--no-"], ["--no-keep"]),
  ])
  func `bash completes commands and options`(words: [String], offered: [String]) throws {
    let tool = try BuiltProduct(words[0]).path
    let script = folder.path + "/script"
    try Data(try run(tool, "completion", "bash").standardOutput.utf8).write(
      to: URL(fileURLWithPath: script))
    let result = try Command(
      "/bin/bash",
      [
        "-c",
        """
        source "$1"
        function=$2
        shift 2
        COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        COMP_POINT=${#COMP_LINE}
        "$function" x "${@: -1}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """, "bash", script, "_" + words[0].replacing("-", with: "_"),
      ] + words
    ).run()
    #expect(result.standardError == "")
    #expect(result.standardOutput.split(separator: "\n").map(String.init).sorted() == offered)
  }

  @Test(arguments: ["waxwing-agent", "waxwing-fleet"])
  func `each shell can read its script, and the manual has no mistake`(name: String) throws {
    let tool = try BuiltProduct(name).path
    for shell in ["bash", "zsh", "fish"] where installed(shell) {
      let script = "\(folder.path)/\(shell)"
      try Data(try run(tool, "completion", shell).standardOutput.utf8).write(
        to: URL(fileURLWithPath: script))
      #expect(try run(shell, "-n", script).standardError == "")
    }
    _ = try run(tool, "man", "--folder", folder.path)
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".1") }.map { "\(folder.path)/\($0)" }
    #expect(pages.contains("\(folder.path)/\(name).1"))
    guard installed("mandoc") else { return }
    let result = try Command("mandoc", ["-T", "lint", "-W", "warning"] + pages).run()
    #expect(result.standardOutput + result.standardError == "")
  }

  @Test func `another shell's script is not to be had`() throws {
    let result = try Command(
      try BuiltProduct("waxwing-fleet").path, ["completion", "tcsh"]
    ).run()
    #expect(result.status == .exited(2))
    #expect(result.standardError.contains("'tcsh' is not bash, zsh or fish"), "\(result)")
  }

  /// Words, and the two lines on standard error: the fleet's programs refuse what `waxwing` refuses.
  @Test(arguments: [
    ("waxwing-fleet", ["stats"], "unknown command 'stats'", "did you mean 'status'?"),
    (
      "waxwing-fleet", ["rollout", "stat"], "unknown command 'rollout stat'",
      "did you mean 'rollout start'?"
    ),
    ("waxwing-fleet", ["rollout"], "'rollout' needs start", "see `waxwing-fleet --help`"),
    (
      "waxwing-fleet", ["status", "--jsn"], "unknown option '--jsn' for 'status'",
      "did you mean '--json'?"
    ),
    (
      "waxwing-fleet", ["status", "--fleet", "a", "--fleet", "b"],
      "option '--fleet' is given twice",
      "see `waxwing-fleet status --help`"
    ),
    (
      "waxwing-fleet", ["nodes", "a", "b"], "'nodes' takes no further argument: 'b'",
      "see `waxwing-fleet nodes --help`"
    ),
    ("waxwing-agent", ["--fle", "a"], "unknown option '--fle'", "did you mean '--fleet'?"),
  ])
  func `mistakes are explained, and exit with 2`(
    program: String, words: [String], error: String, hint: String
  ) throws {
    let result = try Command(try BuiltProduct(program).path, words).run()
    #expect(result.status == .exited(2))
    #expect(
      result.standardError == "\(program): error: \(error)\n\(program): hint: \(hint)\n",
      "\(result)")
  }

  @Test func `with --json errors are JSON, and a group of commands has help`() throws {
    let fleet = try BuiltProduct("waxwing-fleet").path
    let result = try Command(fleet, ["status", "--json", "--folder", "/nowhere"]).run()
    #expect(result.status == .exited(2))
    #expect(result.standardError.hasPrefix(#"{"error":{"code":"usage""#), "\(result)")
    let help = try run(fleet, "rollout", "--help").standardOutput
    #expect(help.hasPrefix("waxwing-fleet rollout start: "))
    for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test func `the installation has both programs with what belongs to them`() throws {
    let prefix = folder.path + "/usr"
    let tool = try BuiltProduct("waxwing").path
    let options = ["--prefix", prefix, "--binary", tool, "--fleet"]
    let result = try Command("scripts/install", options).run(timeout: .seconds(120))
    #expect(result.isSuccess, "\(result)")
    for name in ["waxwing", "waxwing-agent", "waxwing-fleet"] {
      for file in [
        "bin/\(name)", "share/bash-completion/completions/\(name)",
        "share/zsh/site-functions/_\(name)", "share/fish/vendor_completions.d/\(name).fish",
        "share/man/man1/\(name).1",
      ] {
        #expect(FileManager.default.fileExists(atPath: "\(prefix)/\(file)"), "\(file)")
      }
    }
    let page = prefix + "/share/man/man1/waxwing-fleet-rollout-start.1"
    #expect(FileManager.default.fileExists(atPath: page))
  }

  @Test func `the Debian package has them where that is asked for`() throws {
    let options = [
      "--binary", try BuiltProduct("waxwing").path, "--output", folder.path, "--fleet",
    ]
    let made = try Command(
      "scripts/package-deb", options, environment: ["DPKG_DEB_COMPRESSOR_LEVEL": "1"]
    ).run(timeout: .seconds(180))
    #expect(made.isSuccess, "\(made)")
    let package = made.standardOutput.dropFirst("Made ".count).dropLast()
    let contents = try Command("dpkg-deb", ["--contents", String(package)]).run().standardOutput
    for name in ["waxwing", "waxwing-agent", "waxwing-fleet"] {
      #expect(contents.contains(" ./usr/bin/\(name)"), "\(contents)")
      #expect(contents.contains(" ./usr/share/man/man1/\(name).1.gz"))
    }
    let root = folder.path + "/root"
    let unpacked = try Command("dpkg-deb", ["--extract", String(package), root]).run()
    #expect(unpacked.isSuccess, "\(unpacked)")
    let version = try Command(root + "/usr/bin/waxwing-fleet", ["--version"]).run()
    #expect(version.standardOutput.hasPrefix("waxwing-fleet 0.1.0"), "\(version)")
    let fields = try Command("dpkg-deb", ["--field", String(package), "Depends"]).run()
    #expect(fields.standardOutput.contains("libcurl4"), "\(fields)")
    #expect(fields.standardOutput.contains("libmicrohttpd12"), "\(fields)")
  }
}
