// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

/// What all commands of all programs have in common. Help is made from their declarations.
@Suite struct DeclarationTests {
  /// A command as its help shows it.
  struct Declared: CustomTestStringConvertible, Sendable {
    let program: String
    let name: String
    let help: String

    var testDescription: String { "\(program) \(name)" }

    /// The terms of a section, such as `--json` and `PROGRAM`.
    func terms(_ section: String) -> Set<String> {
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
      let entries = lines.drop { $0 != "\(section):" }.dropFirst().prefix { $0.hasPrefix("  ") }
      return Set(
        entries.filter { !$0.hasPrefix("   ") }.map { String($0.dropFirst(2).prefix { $0 != " " }) }
      )
    }

    var asksDaemon: Bool { terms("Options").contains("--socket") }

    /// The lines that begin with `Usage:`.
    var usage: String {
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.drop { !$0.hasPrefix("Usage:") }.prefix { !$0.isEmpty }.joined(separator: "\n")
    }
  }

  static let programs = ["waxwing", "waxwing-fleet", "waxwing-agent"]

  static func help(_ program: String, _ words: [String] = []) throws -> String {
    let folder = URL(fileURLWithPath: Tool.path).deletingLastPathComponent().path
    let result = try Command("\(folder)/\(program)", words + ["--help"], environment: [:]).run()
    return result.standardOutput
  }

  /// Those that lists show, and those that scripts call.
  static func commands() throws -> [Declared] {
    var all: [Declared] = []
    for program in programs {
      let help = try help(program)
      let listed = help.split(separator: "\n").drop { $0 != "Commands:" }.dropFirst()
        .prefix { $0.hasPrefix("  ") }.filter { !$0.hasPrefix("   ") }
      let names = listed.compactMap { line in
        line.dropFirst(2).firstRange(of: "  ").map {
          String(line.dropFirst(2)[..<$0.lowerBound])
        }
      }
      for name in names.isEmpty ? [""] : names + (program == "waxwing" ? ["man", "complete"] : []) {
        let words = name.split(separator: " ").map(String.init)
        all.append(Declared(program: program, name: name, help: try Self.help(program, words)))
      }
    }
    return all
  }

  @Test func `all commands are found`() throws {
    let commands = try Self.commands()
    #expect(commands.count { $0.program == "waxwing" } > 40)
    #expect(commands.contains { $0.program == "waxwing-fleet" && $0.name == "rollout start" })
    #expect(commands.contains { $0.program == "waxwing-agent" })
    for command in commands { #expect(command.terms("Options").contains("--help"), "\(command)") }
  }

  @Test func `no line of any help is longer than 80 columns`() throws {
    var texts = try Self.commands().map(\.help)
    for program in Self.programs { texts.append(try Self.help(program)) }
    for line in texts.flatMap({ $0.split(separator: "\n") }) {
      #expect(line.count <= 80, "\(line)")
    }
  }

  /// Their `--program` is a daemon or a file, and so their arguments name files.
  static let takesFiles: Set = ["init", "points", "stubs"]

  @Test func `every command that asks a daemon takes PROGRAM and the options of all others`()
    throws
  {
    let asking = try Self.commands().filter(\.asksDaemon)
    #expect(asking.count > 25)
    for command in asking where command.name != "complete" {
      #expect(
        command.terms("Options").isSuperset(of: ["--program", "--socket", "--timeout"]),
        "\(command)")
      // Behind arguments of any number, no PROGRAM can be told from them.
      if Self.takesFiles.contains(command.name) || command.usage.contains(#/[A-Z]…/#) {
        continue
      }
      #expect(command.terms("Arguments").contains("PROGRAM"), "\(command)")
      #expect(command.usage.contains("PROGRAM"), "\(command)")
    }
  }

  /// What prints a script, speaks a protocol, or becomes another program.
  static let printsNoDocument: Set = [
    "waxwing debug", "waxwing exec", "waxwing fleet", "waxwing run", "waxwing shell", "waxwing mcp",
    "waxwing completion", "waxwing man", "waxwing complete", "waxwing-fleet completion",
    "waxwing-fleet man", "waxwing-fleet control", "waxwing-fleet console", "waxwing-agent ",
  ]

  @Test func `every command that shows something takes --json`() throws {
    for command in try Self.commands() {
      #expect(
        command.terms("Options").contains("--json")
          != Self.printsNoDocument.contains(command.testDescription), "\(command)")
    }
  }
}
