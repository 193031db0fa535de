// SPDX-License-Identifier: MIT

// Types that the generated ones are made of, and that are hard to make at random.

public protocol EchoShape {
  var tag: Int { get }
}

public protocol EchoReference: AnyObject {
  var tag: Int { get }
}

/// Fits into an existential's buffer.
public struct SmallShape: EchoShape {
  public var tag: Int
}

/// Does not.
public struct LargeShape: EchoShape {
  public var tag: Int
  var numbers: (Double, Double, Double, Double)
  var token: Token
}

extension Token: EchoShape {}

public struct Pair<First, Second> {
  public var first: First
  public var second: Second
}

public enum Either<Left, Right> {
  case left(Left)
  case right(Right)
  case neither
}

public indirect enum Tree {
  case leaf(Int)
  case node(Tree, Token, Tree)
}

public enum Level: Int {
  case low = -1
  case middle
  case high = 1000
}

public enum Word: String {
  case one, two
  case three = "drei"
}

public enum Single {
  case only
}

public struct Empty {}

/// A key that Lua does not have.
public struct Key: Hashable {
  let number: Int8
  let text: String
}

public struct StructFailure: Error {
  let number: Int
  let token: Token
}

public enum EnumFailure: Error {
  case plain
  case text(String)
}

public final class ClassFailure: Tracked, Error, @unchecked Sendable {}
