// SPDX-License-Identifier: MIT

/// Structs of many layouts, and functions that return what they are given.
public struct Coordinate: Equatable, Hashable {
  public var x: Int
  public var y: Double
}

public struct Segment: Equatable {
  public var from: Coordinate
  public var to: Coordinate
  public var note: String?
}

public struct Polygon: Equatable {
  public var name: String
  public var corners: [Coordinate]
  public var holes: [[Coordinate]]
}

public struct Nothing: Equatable {}

/// One Bool, one Int8, padding, a struct with padding at its end, more of it.
public struct Gaps: Equatable {
  public var flag: Bool
  public var inner: InnerGaps
  public var small: Int8
  public var wide: Int64
  public var last: Bool?

  public struct InnerGaps: Equatable {
    public var value: Int32
    public var flag: Bool
  }
}

public struct WithReferences {
  public var account: Account
  public weak var friend: Account?
  public unowned var owner: Account
  public var label: String

  public init(account: Account, friend: Account?, owner: Account, label: String) {
    self.account = account
    self.friend = friend
    self.owner = owner
    self.label = label
  }
}

public protocol Listener: AnyObject {
  func heard() -> String
}

extension Account: Listener {
  public func heard() -> String { "heard by \(owner)" }
}

open class ReferenceHolder {
  public weak var friend: Account?
  public weak var listener: (any Listener)?
  public unowned var owner: Account
  public unowned(unsafe) var raw: Account
  public var coordinate = Coordinate(x: 1, y: 2)

  public init(owner: Account) {
    self.owner = owner
    raw = owner
  }

  public func probe(_ step: Int) -> String { "\(step)" }
}

public final class StructValues {
  public init() {}

  public var home = Coordinate(x: 0, y: 0)

  public func coordinate(_ value: Coordinate) -> Coordinate { value }
  public func optionalCoordinate(_ value: Coordinate?) -> Coordinate? { value }
  public func segment(_ value: Segment) -> Segment { value }
  public func polygon(_ value: Polygon) -> Polygon { value }
  public func nothing(_ value: Nothing) -> Nothing { value }
  public func gaps(_ value: Gaps) -> Gaps { value }
  public func references(_ value: WithReferences) -> WithReferences { value }
  public func coordinates(_ value: Set<Coordinate>) -> Set<Coordinate> { value }
  public func places(_ value: [Coordinate: String]) -> [Coordinate: String] { value }
}

/// Initialized here: the memberwise initializer is not public.
public enum Made {
  public static func coordinate(_ x: Int, _ y: Double) -> Coordinate { Coordinate(x: x, y: y) }
  public static func segment(_ from: Coordinate, _ to: Coordinate, _ note: String?) -> Segment {
    Segment(from: from, to: to, note: note)
  }
  public static func polygon(
    _ name: String, _ corners: [Coordinate], _ holes: [[Coordinate]]
  ) -> Polygon {
    Polygon(name: name, corners: corners, holes: holes)
  }
  public static func nothing() -> Nothing { Nothing() }
  public static func gaps(
    _ flag: Bool, _ value: Int32, _ inner: Bool, _ small: Int8, _ wide: Int64, _ last: Bool?
  ) -> Gaps {
    Gaps(
      flag: flag, inner: Gaps.InnerGaps(value: value, flag: inner), small: small, wide: wide,
      last: last)
  }
}
