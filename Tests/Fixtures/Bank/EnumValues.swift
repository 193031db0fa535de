// SPDX-License-Identifier: MIT

/// Enums of every layout, and functions that return what they are given.
public enum Compass: Equatable, Hashable, Sendable {
  case north, east, south, west
}

public enum Grade: Int, Sendable {
  case low = 10
  case high = 20
}

public enum Figure: Equatable {
  case circle(radius: Double)
  case rectangle(width: Double, height: Double)
  case named(String, Compass)
  case maybe(Int?)
  case points([Point])
  case unit
  case empty(Void)

  public static func == (left: Figure, right: Figure) -> Bool { "\(left)" == "\(right)" }
}

/// One payload, its tag in unused bits.
public enum AccountHolder {
  case none
  case account(Account)
}

public indirect enum Tree<Element> {
  case leaf
  case node(Tree<Element>, Element, Tree<Element>)
}

public enum Chain {
  case end
  indirect case link(value: Int, next: Chain)
}

public final class EnumValues {
  public init() {}

  public var heading = Compass.north
  public var figure = Figure.unit

  public func compass(_ value: Compass) -> Compass { value }
  public func optionalCompass(_ value: Compass?) -> Compass? { value }
  public func grade(_ value: Grade) -> Grade { value }
  public func figure(_ value: Figure) -> Figure { value }
  public func optionalFigure(_ value: Figure?) -> Figure? { value }
  public func figures(_ value: [Figure]) -> [Figure] { value }
  public func namedFigures(_ value: [String: Figure]) -> [String: Figure] { value }
  public func holder(_ value: AccountHolder) -> AccountHolder { value }
  public func tree(_ value: Tree<Int>) -> Tree<Int> { value }
  public func chain(_ value: Chain) -> Chain { value }
  public func deepOptional(_ value: Int??) -> Int?? { value }
  public func deeperOptional(_ value: [Int???]) -> [Int???] { value }
  public func distances(_ value: [Compass: Int]) -> [Compass: Int] { value }
}
