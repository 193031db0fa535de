// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

/// The example of an image, as far as that can be told without Docker: each instruction is one, with the
/// form that it wants, and what it names is there.
@Suite struct DockerfileTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL.path

  struct Instruction: Equatable {
    let name: String
    let rest: String
  }

  struct Mistake: Error, Equatable {
    let text: String
  }

  private static let known: Set = [
    "FROM", "RUN", "CMD", "LABEL", "EXPOSE", "ENV", "ADD", "COPY", "ENTRYPOINT", "VOLUME", "USER",
    "WORKDIR", "ARG", "STOPSIGNAL", "HEALTHCHECK", "SHELL",
  ]

  /// Instructions, with lines that end in a backslash joined, and without comments.
  static func parse(_ text: String) throws -> [Instruction] {
    var instructions: [Instruction] = []
    var line = ""
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let part = part.trimmingCharacters(in: .whitespaces)
      if part.hasPrefix("#") || (part.isEmpty && line.isEmpty) { continue }
      guard !part.isEmpty else { throw Mistake(text: "an empty line in \(line)") }
      if part.hasSuffix("\\") {
        line += part.dropLast()
        continue
      }
      let words = (line + part).split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2, known.contains(words[0]) else { throw Mistake(text: line + part) }
      instructions.append(Instruction(name: words[0], rest: words[1]))
      line = ""
    }
    guard line.isEmpty else { throw Mistake(text: "the last line goes on") }
    guard instructions.first?.name == "FROM" else { throw Mistake(text: "no FROM") }
    return instructions
  }

  private static func example() throws -> [Instruction] {
    try parse(
      String(contentsOfFile: root + "/examples/docker/Dockerfile", encoding: .utf8))
  }

  @Test(arguments: [
    "RUN true", "FROM a\nRUM true", "FROM a\nRUN true \\", "FROM a\nRUN true \\\n\nUSER b", "FROM",
  ])
  func `mistakes are found`(text: String) {
    #expect(throws: Mistake.self) { try Self.parse(text) }
  }

  @Test func `stages are named before they are copied from`() throws {
    var stages: [String] = []
    for instruction in try Self.example() {
      let words = instruction.rest.split(separator: " ").map(String.init)
      if instruction.name == "FROM" {
        #expect(words.count == 1 || (words.count == 3 && words[1] == "AS"), "\(words)")
        stages.append(words.count == 3 ? words[2] : words[0])
      }
      if instruction.name == "COPY", let from = words.first(where: { $0.hasPrefix("--from=") }) {
        #expect(stages.dropLast().contains(String(from.dropFirst(7))), "\(from)")
      }
    }
    #expect(stages == ["build", "debian:bookworm-slim"])
  }

  @Test func `the image runs one program, as a user of its own`() throws {
    let all = try Self.example()
    let last = all.suffix(from: try #require(all.lastIndex { $0.name == "FROM" }))
    for instruction in last where ["ENTRYPOINT", "CMD", "VOLUME"].contains(instruction.name) {
      let list = try JSONDecoder().decode([String].self, from: Data(instruction.rest.utf8))
      #expect(!list.isEmpty)
    }
    let user = try #require(last.first { $0.name == "USER" }).rest
    let making = try #require(last.first { $0.name == "RUN" }).rest
    #expect(making.contains("useradd ") && making.contains(" \(user) "))
    #expect(making.hasSuffix("-o \(user) /run/waxwing /var/lib/bankd /var/log/bankd"))
    #expect(last.filter { $0.name == "ENTRYPOINT" }.map(\.rest) == [#"["/usr/bin/bankd"]"#])
  }

  @Test func `commands are ones that bash takes, and packages those of the build`() throws {
    let runs = try Self.example().filter { $0.name == "RUN" }.map(\.rest)
    for run in runs {
      let check = try Command("/bin/bash", ["-n", "-c", run]).run()
      #expect(check.isSuccess, "\(check) \(run)")
    }
    let setup = try String(contentsOfFile: Self.root + "/scripts/setup", encoding: .utf8)
    for package in ["liblua5.4-dev", "libsodium-dev", "libzydis-dev", "pkg-config"] {
      #expect(setup.contains(package) && runs[0].contains(package), "\(package)")
    }
    #expect(runs.contains { $0.contains("scripts/install --prefix /usr --destdir /out --binary") })
    let ignored = try String(
      contentsOfFile: Self.root + "/examples/docker/Dockerfile.dockerignore", encoding: .utf8)
    #expect(ignored.split(separator: "\n").contains(".build"))
  }
}
