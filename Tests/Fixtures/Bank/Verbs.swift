// SPDX-License-Identifier: MIT

/// Static members that have names which type objects have parts of.
public struct Verb: Equatable, Sendable {
  public let name: String
  public init(name: String) { self.name = name }
  public static let get = Verb(name: "GET")
  public static let set = Verb(name: "SET")
  public static let before = Verb(name: "BEFORE")
  public static let method = Verb(name: "METHOD")
  public static let type = Verb(name: "TYPE")
  public static let `static` = Verb(name: "STATIC")
  public var title: String { "verb " + name }
  public static var count: Int { 6 }
}

/// The same as cases.
public enum Phase: String { case willSet, didSet, get, set, after, instead, field, new }

/// The same as functions.
public final class Cupboard {
  public var items: [String: Int] = [:]
  public init() {}
  public func get(_ key: String) -> Int { items[key] ?? 0 }
  public func set(_ key: String, _ value: Int) { items[key] = value }
  public func method() -> String { "method" }
  public static func field(_ name: String) -> String { "field " + name }
  public var size: Int { items.count }
}

/// What is called with types.
public class Registrar {
  public required init() {}
  public static func title(of type: Any.Type) -> String { "\(type)" }
  public static func either() -> String { "Int" }
  public static func either(_ type: Any.Type) -> String { "\(type)" }
  public static func count(_ number: Int) -> Int { number }
  public class func kind() -> String { "registrar" }
}

/// Runs what a test lets its `text` do.
public final class VerbProbe {
  public init() {}
  public func text() -> String { "baseline" }
}

public protocol Keeping {}

extension Keeping {
  /// A member of the extension alone.
  public func place() -> String { "here" }
}

public final class Pantry: Keeping {
  public init() {}
}

/// A class with a member that is named like what Lua has of objects.
public class Shed {
  public init() {}
  public let `super` = "attic"
  public func title() -> String { "shed" }
}

public final class Annexe: Shed {
  public override func title() -> String { "annexe of " + super.title() }
}

/// The same of an enum.
public enum Room {
  case cellar
  case attic(height: Int)
  public var `case`: String { "a room" }
}
