// SPDX-License-Identifier: MIT

// Structs, enums and protocols of a library, of every size and kind that travels in its own way.

public struct Small: Equatable { public var a: Int8, b: Bool }

extension Small {
  public static func make(_ a: Int8) -> Small { Small(a: a, b: a > 0) }
  public mutating func flip() { b.toggle() }
}

public struct Four { public var a: Int, b: Double, c: Int, d: Float }

public struct Five {
  public var a: Int, b: String, c: [Int], d: Double, e: Int?

  public init(_ a: Int) { (self.a, b, c, d, e) = (a, "number \(a) in words", [a], Double(a), a) }
  public func sum() -> Int { a + c.reduce(0, +) + (e ?? 0) }
  public mutating func add(_ n: Int) -> Int {
    c.append(n)
    return c.count
  }
  public subscript(index: Int) -> Int {
    get { c[index] }
    set { c[index] = newValue }
  }
}

public enum Shape {
  case none
  case circle(Double)
  case named(String, Five)
  indirect case pair(Shape, Shape)

  public var count: Int {
    switch self {
    case .none: 0
    case .circle, .named: 1
    case .pair(let left, let right): left.count + right.count
    }
  }
  public func doubled() -> Shape { .pair(self, self) }
  public mutating func clear() { self = .none }
}

@frozen public struct Fixed {
  public var x: Int, y: Int
  public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
}

public func swapped(_ value: Fixed) -> Fixed { Fixed(x: value.y, y: value.x) }

public protocol Style { var name: String { get } }

public struct Plain: Style {
  public var width: Int
  public var name: String { "plain \(width)" }
}

extension Style where Self == Plain {
  public static func plain(_ width: Int) -> Plain { Plain(width: width) }
}

public func applied(_ style: some Style) -> String { style.name }
public func erased(_ style: any Style) -> any Style { style }

public struct Failure: Error { public let code: Int }

public func checked(_ n: Int) throws -> Int {
  if n > 2 { throw Failure(code: n) }
  return n
}
public func typed(_ n: Int) throws(Failure) -> Int {
  if n > 2 { throw Failure(code: n) }
  return n
}

public func tuple(_ pair: (name: String, count: Int)) -> (Int, String) { (pair.count, pair.name) }
public func text(_ text: String, _ characters: [Character], _ map: [String: Five]) -> Int {
  text.count + characters.count + map.count
}
public func exchange(_ left: inout Five, _ right: inout Int) { (left.a, right) = (right, left.a) }
public func take(_ value: consuming Five) -> Int { value.a }
public func maybe(_ value: Five?, _ shape: Shape?) -> Int { (value?.a ?? 0) + (shape?.count ?? 0) }

extension String { public func quoted() -> String { "<\(self)>" } }
extension Array where Element == Int { public func total() -> Int { reduce(0, +) } }
