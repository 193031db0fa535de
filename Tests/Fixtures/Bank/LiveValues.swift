// SPDX-License-Identifier: MIT

/// An object with collections, one of them observed.
open class Ledger {
  public var entries: [Int] = [1, 2, 3]
  public var names: [String: Int] = ["a": 1]
  public var marks: Set<String> = ["x"]
  public var accounts: [Account] = []
  public var optionals: [Int?] = [1, nil]
  public let fixed = [1]
  public var count = 3
  public var observed: [String] = [] {
    didSet { log.append("\(oldValue.count)->\(observed.count)") }
  }
  public private(set) var log: [String] = []

  public init() {}

  public func work(_ step: Int) -> String { "\(step)" }
  public func sum(_ values: [Int]) -> Int { values.reduce(0, +) }
  public func same(_ values: [Int]) -> Bool {
    values.withUnsafeBytes { $0.baseAddress } == entries.withUnsafeBytes { $0.baseAddress }
  }
  public func total(_ values: [String: Int], _ marks: Set<String>) -> Int {
    values.values.reduce(0, +) + marks.count
  }
}
