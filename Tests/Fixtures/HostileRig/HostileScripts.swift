// SPDX-License-Identifier: MIT

import Foundation
import SeededRandom

/// The patches in `Tests/Fixtures/Hostile`.
public enum HostileScripts {
  /// The files in the folder, or in one of its folders.
  public static func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url(folder).path)
      .filter { $0.hasSuffix(".lua") }.sorted()
  }

  /// The files that a test run takes: all of them where it is optimized; every fifth in debug builds,
  /// and where Swift makes the calls that C could make, as all of them run without that in release.
  public static func sample(in folder: String = "") throws -> [String] {
    let names = try names(in: folder)
    #if !DEBUG
      if ProcessInfo.processInfo.environment["WAXWING_LONG_WAY"] == nil { return names }
    #endif
    return TestSeed.drawn.sample(of: names, every: 5)
  }

  /// What is in a file.
  public static func text(_ name: String) throws -> String {
    try String(contentsOf: url(name), encoding: .utf8)
  }

  /// Every script that is not about waiting.
  public static func all() throws -> [(name: String, text: String)] {
    try names().map { (name: $0, text: try text($0)) } + bombs
  }

  private static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../Hostile/\(name)").standardized
  }

  /// Too long to be files.
  public static let bombs: [(name: String, text: String)] = [
    ("parentheses", "return " + many("(", 5000) + "1" + many(")", 5000)),
    ("tables", "return " + many("{", 5000) + many("}", 5000)),
    ("functions", "return " + many("(function() return ", 5000) + "1" + many(" end)()", 5000)),
    ("operators", "return " + many("not ", 50000) + "1"),
    ("operands", "local x = 'a' return x" + many("..x", 50000)),
    ("conditions", "local x if x then" + many(" elseif x == 1 then", 10000) + " end"),
    ("locals", (0..<300).map { "local a\($0)" }.joined(separator: "\n")),
    ("upvalues", Self.upvalues),
    ("labels", (0..<10000).map { "::l\($0)::" }.joined(separator: " ")),
    ("constants", "local t = {" + (0..<20000).map { "\($0).5," }.joined() + "} return #t"),
    ("escapes", "return '" + many("\\65", 50000) + "'"),
    ("digits", "return " + many("9", 60000) + ".0"),
    ("brackets", "return [" + many("=", 60000) + "[x]" + many("=", 60000) + "]"),
    ("line", "local x = 0 " + many("x = x + 1 ", 20000) + "return tostring(x)"),
    ("arguments", "return select('#'" + many(", 1", 10000) + ")"),
    ("strings", "return '" + many("x", 250_000) + "'"),
  ]

  private static let upvalues =
    (0..<190).map { "local a\($0)\n" }.joined() + "return function() return "
    + (0..<190).map { "a\($0)" }.joined(separator: ",") + many(" .. a0", 100) + " end"

  private static func many(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }
}
