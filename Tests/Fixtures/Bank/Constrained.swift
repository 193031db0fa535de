// SPDX-License-Identifier: MIT

/// Values of `any P<X>`. Of some of these types the module has no metadata of its own.
public protocol Lender<Item>: Sendable {
  associatedtype Item
  func item(_ index: Int) -> Item?
  var size: Int { get }
}

/// The order of its types in source is not the alphabetical one.
public protocol Coupled<Right, Left> {
  associatedtype Left
  associatedtype Right
  var left: Left { get }
  var right: Right { get }
}

public protocol Keg<Content>: AnyObject {
  associatedtype Content
  var content: Content { get set }
}

/// The type that it is constrained to is another protocol's.
public protocol Bookcase<Item>: Lender { var height: Int { get } }

public class Furniture { public var legs = 4 }
public class Stand<Load> {
  public var load: Load
  public init(_ load: Load) { self.load = load }
}

public struct Scroll: Bookcase, Equatable {
  public var text: String
  public init(_ text: String) { self.text = text }
  public func item(_ index: Int) -> String? { index < 0 ? nil : "\(text) \(index)" }
  public var size: Int { text.count }
  public var height: Int { 3 }
}

/// Too large for the buffer.
public struct Scrolls: Lender, Equatable {
  public var words = ["a", "b", "c"]
  public var first = 1, second = 2, third = 3
  public init() {}
  public func item(_ index: Int) -> String? { words[index] }
  public var size: Int { words.count }
}

public struct Numbers: Lender {
  public init() {}
  public func item(_ index: Int) -> Int? { index }
  public var size: Int { 10 }
}

public struct Pairing: Coupled {
  public var left = "left"
  public var right = 7
  public init() {}
}

public final class Barrel: Keg {
  public var content = 5
  public init() {}
}

public final class Dresser: Furniture, Lender, @unchecked Sendable {
  public override init() {}
  public func item(_ index: Int) -> String? { "dresser \(index)" }
  public var size: Int { 1 }
}

public final class Plinth: Stand<Int>, Lender, @unchecked Sendable {
  public func item(_ index: Int) -> String? { "plinth \(index)" }
  public var size: Int { load }
}

private protocol Veiled<Thing> {
  associatedtype Thing
  var thing: Thing { get }
}
private struct Curtain: Veiled { let thing = 8 }

public final class Librarian {
  public var shelf: any Lender<String>
  public init(_ shelf: any Lender<String>) { self.shelf = shelf }

  public func first() -> String { shelf.item(1) ?? "none" }
  public func sum(_ rows: any Collection<Int>) -> Int { rows.reduce(0, +) }
  public func rows(_ count: Int) -> any Collection<Int> { Array(0..<count) }
  public func same(_ shelf: any Lender<String>) -> any Lender<String> { shelf }
  public func all(_ shelves: [any Lender<String>]) -> [any Lender<String>] { shelves }
  public func named(_ shelves: [String: any Lender<String>]) -> [String: any Lender<String>] {
    shelves
  }
  public func perhaps(_ shelf: (any Lender<String>)?) -> (any Lender<String>)? { shelf }
  public func pair(_ pair: any Coupled<Int, String>) -> any Coupled<Int, String> { pair }
  public func chest(_ chest: any Keg<Int>) -> any Keg<Int> { chest }
  public func bookcase(_ bookcase: any Bookcase<String>) -> any Bookcase<String> { bookcase }
  public func object(_ shelf: any Lender<String> & AnyObject) -> any Lender<String> & AnyObject {
    shelf
  }
  public func furniture(_ shelf: any Lender<String> & Furniture) -> any Lender<String> & Furniture {
    shelf
  }
  public func stand(_ shelf: any Lender<String> & Stand<Int>) -> any Lender<String> & Stand<Int> {
    shelf
  }
  public func both(_ value: any Lender<String> & CustomStringConvertible) -> String {
    value.description
  }
  public func counts(_ count: (any Lender<String>) -> Int) -> Int { count(Scroll("four")) }
  public func item<Item>(_ shelf: any Lender<Item>, _ index: Int) -> Item? { shelf.item(index) }
  public func items<Item>(
    _ shelves: [any Lender<Item>], _ more: (any Lender<Item>)?, _ named: [String: any Lender<Item>]
  ) -> [Item?] {
    shelves.map { $0.item(0) } + [more?.item(1), named["x"]?.item(2)]
  }
  public func checked(_ shelf: any Lender<String>) throws -> any Lender<String> {
    if shelf.size == 0 { throw BankError.closed }
    return shelf
  }
  public func later(_ shelf: any Lender<String>) async throws -> any Lender<String> {
    await Task.yield()
    return try checked(shelf)
  }
  private func hidden(_ value: any Veiled<Int>) -> Int { value.thing }
  public func hidden() -> Int { hidden(Curtain()) }
}

extension Scroll: CustomStringConvertible { public var description: String { "scroll \(text)" } }

/// Swift's runtime cannot spell the types of these properties.
public final class Catalogue {
  public let kind: any Lender<String>.Type = Scroll.self
  public let kinds: [any Keg<Int>.Type] = [Barrel.self]
  public let perhaps: (any Keg<Int>.Type)? = nil
  public let pair: (Int, any Keg<Int>.Type) = (1, Barrel.self)
  public let stand = Stand<any Keg<Int>.Type>(Barrel.self)
  public let check: (any Keg<Int>.Type) -> Bool = { _ in true }
  public init() {}
  public func show() -> String { "plain" }
}

public struct Display {
  public let shelf: any Lender<String>
  public init(_ shelf: any Lender<String>) { self.shelf = shelf }
  public func first() -> String { shelf.item(1) ?? "none" }
}

public final class Cabinet<Item> {
  public let shelf: any Lender<Item>
  public init(_ shelf: any Lender<Item>) { self.shelf = shelf }
  public func size() -> Int { shelf.size }
}
