// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingPatches

@testable import WaxwingCore

/// What the documentation calls the keys of configuration files is what the parser calls them.
@Suite struct DocumentedKeyTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }

  private static let keys = Set(
    ConfigurationReader.plainKeys + LimitNames.all.map { "limits.\($0)" })

  @Test func `the limits of files are the properties of the policy`() {
    #expect(LimitNames.all == Policy.Limits.names.map(\.name))
  }

  @Test func `every key that the documentation names is one`() throws {
    let names =
      try ["docs", "docs/patching"].flatMap { folder in
        try FileManager.default.contentsOfDirectory(atPath: "\(Self.root.path)/\(folder)")
          .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
      } + ["README.md", "CHANGELOG.md"]
    var found: Set<String> = []
    for name in names {
      let text = try Self.text(name)
      // As keys, and as properties: `limits.stuck-seconds`, `Policy.limits.stuckSeconds`.
      let limits = text.matches(of: #/limits\.([a-z][A-Za-z-]*)/#).map {
        "limits." + Self.dashed($0.1)
      }
      let plain = text.matches(of: #/`([a-z][a-z.-]*)` in\s+`PROGRAM\.conf`/#).map { String($0.1) }
      for key in limits + plain { #expect(Self.keys.contains(key), "\(name): \(key)") }
      found.formUnion(limits + plain)
    }
    #expect(found.contains("limits.stuck-seconds") && found.contains("limits.idle-milliseconds"))
  }

  @Test func `the table of keys has all of them, and each is taken`() throws {
    let text = try Self.text("docs/control.md")
    let table = try #require(
      text.firstMatch(of: #/\n\| key \| value \|\n\|---\|---\|\n((?:\|.*\n)+)/#))
    let rows = table.1.split(separator: "\n").map { $0.split(separator: "|")[0] }
    let named = Set(rows.flatMap { $0.matches(of: #/`([^`]+)`/#).map { String($0.1) } })
    #expect(named == Set(ConfigurationReader.plainKeys + ["limits.NAME"]))
  }

  private static func dashed(_ name: Substring) -> String {
    name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
  }
}
