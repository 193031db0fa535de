// SPDX-License-Identifier: MIT

import Foundation

/// Writes classes, structs and functions with ten thousand patch points into files: FILE…. What is
/// measured with them is how long the symbols of a large program take to read.
@main
enum PointsGenerator {
  private static let types = 1000
  private static let functions = 2000

  static func main() throws {
    let files = CommandLine.arguments.dropFirst()
    guard !files.isEmpty else { fatalError("usage: PointsGenerator FILE…") }
    for (index, file) in files.enumerated() {
      let types = (1...types).filter { $0 % files.count == index }.map(type)
      let functions = (1...functions).filter { $0 % files.count == index }.map(function)
      try (types + functions).joined(separator: "\n").write(
        to: URL(filePath: file), atomically: true, encoding: .utf8)
    }
  }

  /// Every third is a struct, as programs have them; names are of several words.
  private static func type(_ number: Int) -> String {
    let isStruct = number % 3 == 0
    return """
      public \(isStruct ? "struct" : "final class") OrderLine\(number) {
        private var storage: [String: Int] = [:]
        public init(named name: String, amount: Int) { storage[name] = amount }
        public \(isStruct ? "mutating " : "")func add(_ amount: Int, named name: String) throws -> Bool {
          storage[name, default: 0] += amount
          return amount > 0
        }
        public func amounts(above least: Int, among names: [String]) -> [Int?] {
          names.map { name in storage[name].flatMap { $0 > least ? $0 : nil } }
        }
        public var total: Int {
          get { storage.values.reduce(0, +) }
          set { storage["total"] = newValue }
        }
        public var firstName: String? {
          get { storage.keys.sorted().first }
          set { if let newValue { storage[newValue] = 0 } }
        }
        public static func standard() -> OrderLine\(number) { OrderLine\(number)(named: "a", amount: 1) }
      }
      """
  }

  private static func function(_ number: Int) -> String {
    "public func orderStep\(number)(_ n: Int, times: Double) -> Int { n &+ \(number) }"
  }
}
