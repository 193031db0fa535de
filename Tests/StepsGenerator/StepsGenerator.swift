// SPDX-License-Identifier: MIT

import Foundation

/// Writes a thousand small functions into a file: FILE. What is measured with them is how long
/// patches of many overrides take to apply.
@main
enum StepsGenerator {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else { fatalError("usage: StepsGenerator FILE") }
    let numbers = 1...1000
    let functions = numbers.map { "public func step\($0)(_ n: Int) -> Int { n &+ \($0) }" }
    let calls = numbers.map { "  n = step\($0)(n)" }
    let all = [
      "/// One after the other.", "public func allSteps(_ n: Int) -> Int {", "  var n = n",
    ]
    let lines = functions + [""] + all + calls + ["  return n", "}", ""]
    try lines.joined(separator: "\n").write(
      to: URL(filePath: CommandLine.arguments[1]), atomically: true, encoding: .utf8)
  }
}
