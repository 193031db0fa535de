// SPDX-License-Identifier: MIT

/// What patches add methods to: a line of three classes.
open class Greeter {
  public let name: String
  public var greeted = 0
  public init(name: String) { self.name = name }
  /// Calls a method that a patch has added, through `ask`.
  open func welcome(_ ask: (Greeter) throws -> String) rethrows -> String {
    greeted += 1
    return try ask(self)
  }
  open func word() -> String { "hello" }
  open class func kind() -> String { "greeter" }
  public func fail() throws -> String { throw GreeterError.shy(name) }
}

open class PoliteGreeter: Greeter {
  open override func word() -> String { "good day" }
}

public final class RoyalGreeter: PoliteGreeter {
  public override func word() -> String { "we greet you" }
  /// A name that a patch may want for a method of the class above.
  public func bow() -> String { "bows" }
}

public enum GreeterError: Error, Equatable {
  case shy(String)
}

/// A value that patches add methods to.
public struct Badge: Sendable, Equatable {
  public var title: String
  public var level: Int
  public init(title: String, level: Int) {
    self.title = title
    self.level = level
  }
  public func stars() -> String { String(repeating: "*", count: level) }
}

public enum Mood: Sendable {
  case merry
  case gloomy(Int)
}

/// Generic: patches add methods to all of its types.
public final class GuestList<Item> {
  public var items: [Item]
  public init(_ items: [Item]) { self.items = items }
  public func size() -> Int { items.count }
}

/// For scripts to do something with a greeter, a badge, a mood.
public func present(_ greeter: Greeter) -> String { "baseline" }
public func present(badge: Badge) -> String { "baseline" }
public func present(mood: Mood) -> String { "baseline" }
public func present(list: GuestList<Int>) -> String { "baseline" }

/// Runs what a test has put here, from Lua code.
public final class Meddler: @unchecked Sendable {
  public static let shared = Meddler()
  public var action: (() throws -> Any)?
}

public func runMeddler() -> String {
  do {
    guard let action = Meddler.shared.action else { return "baseline" }
    return "\(try action())"
  } catch {
    return "\(error)"
  }
}
