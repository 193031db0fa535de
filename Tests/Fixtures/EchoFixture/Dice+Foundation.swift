// SPDX-License-Identifier: MIT

import Foundation

extension Dice {
  mutating func range() -> Range<Int> {
    let (a, b) = (integer(Int.self), integer(Int.self))
    return min(a, b)..<max(a, b)
  }

  /// At least 0, and no NaN.
  mutating func magnitude() -> Double {
    let value = double().magnitude
    return value.isNaN ? 1 : value
  }

  mutating func data() -> Data { Data(array { $0.integer(UInt8.self) }) }

  mutating func url() -> URL { URL(filePath: "/folder \(below(100))/file.txt") }

  mutating func decimal() -> Decimal {
    Decimal(string: "\(integer(Int.self)).\(below(1000))") ?? Decimal.nan
  }

  mutating func pointer() -> UnsafeRawPointer? {
    UnsafeRawPointer(bitPattern: UInt(bitPattern: integer(Int.self)))
  }
}

extension Data: Exact { var fingerprint: String { "Data \(Array(self))" } }
extension UUID: Exact { var fingerprint: String { "UUID \(uuidString)" } }
extension Date: Exact {
  var fingerprint: String { "Date " + timeIntervalSinceReferenceDate.fingerprint }
}
extension URL: Exact { var fingerprint: String { "URL \(absoluteString)" } }
extension Decimal: Exact { var fingerprint: String { "Decimal \(self)" } }
