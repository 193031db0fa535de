// SPDX-License-Identifier: MIT

/// Structs in structs in an object.
public struct GeoPoint: Equatable, Sendable {
  public var lat: Double
  public var lon: Double

  public init(lat: Double, lon: Double) {
    self.lat = lat
    self.lon = lon
  }
}

public struct PostalAddress: Equatable, Sendable {
  public var city: String
  public var lines: [String] = []
  public var location = GeoPoint(lat: 1, lon: 2)
  /// More words than go in registers.
  public var a = 1, b = 2, c = 3

  public init(city: String) { self.city = city }

  public mutating func rename(_ city: String) { self.city = city }
  public mutating func rename(checked city: String) throws {
    self.city = city
    if city.isEmpty { throw BankError.closed }
  }
  public mutating func add(_ line: String) -> Int {
    lines.append(line)
    return lines.count
  }
  public func summary() -> String { "\(city) \(lines) \(location.lat)" }
  public subscript(line: Int) -> String {
    get { lines[line] }
    set { lines[line] = newValue }
  }
}

public struct Tally: Sendable {
  public var value = 0
  public init() {}
  mutating func increment(by amount: Int = 1) -> Int {
    value += amount
    return value
  }
}

/// Holds an object.
public struct Held {
  public var traced = Traced()
  public var number = 0
  public init() {}
  public mutating func bump() { number += 1 }
}

public final class Customer {
  public var address = PostalAddress(city: "A") {
    didSet { changes.append("\(oldValue.city)->\(address.city)") }
  }
  public var plain = PostalAddress(city: "P")
  public let fixed = PostalAddress(city: "F")
  public var tally = Tally()
  public var changes: [String] = []
  public var optional: PostalAddress? = PostalAddress(city: "O")
  private var stored = PostalAddress(city: "S")
  public var computed: PostalAddress {
    get { stored }
    set {
      changes.append("set \(newValue.city)")
      stored = newValue
    }
  }
  public var readOnly: PostalAddress { stored }
  public var points: [GeoPoint] = [GeoPoint(lat: 1, lon: 1), GeoPoint(lat: 2, lon: 2)]

  public var places: [String: PostalAddress] = ["home": PostalAddress(city: "H")] {
    didSet { changes.append("places") }
  }
  public var held = Held()
  public var holds = [Held()]

  public init() {}

  public func makeAddress() -> PostalAddress { address }
  public func visit() -> String { "not patched" }
}
