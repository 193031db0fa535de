// SPDX-License-Identifier: MIT

/// Four words.
public struct AsyncQuad: Equatable, Sendable {
  public var a: Int
  public var b: Int
  public var c: Int
  public var d: Int

  public init(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  /// An async method of a struct.
  public func sum(_ more: Int) async -> Int { a + b + c + d + more }
  /// One that changes the struct.
  public mutating func shift(by amount: Int) async -> Int {
    a += amount
    return a
  }
  /// One that changes the struct and may throw half way.
  public mutating func drain(_ amount: Int) async throws {
    a -= amount
    if a < 0 { throw BankError.insufficient(a) }
    b += amount
  }
  /// A static one.
  public static func square(_ side: Int) async -> AsyncQuad { AsyncQuad(side, side, side, side) }
}

/// Integer and vector registers in turn.
public struct AsyncBlend: Equatable, Sendable {
  public var count: Int
  public var ratio: Double
  public var small: Int32
  public var share: Float

  public init(count: Int, ratio: Double, small: Int32, share: Float) {
    self.count = count
    self.ratio = ratio
    self.small = small
    self.share = share
  }
}

/// An enum with async methods.
public enum AsyncSignal: Equatable, Sendable {
  case wait(Int)
  case say(String)
  case stop

  public func told() async -> String {
    switch self {
    case .wait(let count): "wait \(count)"
    case .say(let text): "say \(text)"
    case .stop: "stop"
    }
  }
}

/// Something that counts how many of it are alive, and may be passed between tasks.
public final class AsyncParcel: Sendable {
  public static let census = Census()
  public let number: Int

  public init(_ number: Int) {
    self.number = number
    Self.census.born()
  }

  deinit { Self.census.died() }

  /// Its number after one suspension.
  public func weighed() async -> Int {
    await Task.yield()
    return number
  }

  /// Makes another one.
  public func doubled() async -> AsyncParcel { AsyncParcel(number * 2) }
}

/// A generic type with async methods.
public final class AsyncShelf<Element> {
  public private(set) var elements: [Element] = []
  public init() {}

  /// Takes and gives values of the generic parameter's type.
  public func swap(_ element: Element) async -> Element {
    elements.append(element)
    return elements[0]
  }

  public func count() async -> Int { elements.count }
}
