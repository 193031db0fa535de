// SPDX-License-Identifier: MIT

/// The samples that canaries look at.
enum ABISample {
  class Base {
    var number = 41
  }

  final class Derived: Base {
    var byte: UInt8 = 7
    weak var weakling: Base?
    unowned var unowned = ABISample.unownedTarget
    let owner: Base? = nil
  }

  /// The target of an unowned reference. Unchecked: a constant, and no code writes to the object.
  static nonisolated(unsafe) let unownedTarget = Base()

  class Holder<Content> {
    var content: Content
    init(_ content: Content) { self.content = content }
  }

  actor Worker {}

  struct Mixed {
    var number: Int
    var object: Base?
    var short: Int16
  }

  struct Large: Numbered {
    var words = (1, 2, 3, 4)
    var number: Int { words.3 }
  }

  struct Weak {
    weak var object: Base?
  }

  struct Unique: ~Copyable {
    var number: Int

    /// The metatype of `Unique`, as types are known by their metadata.
    static var type: any Any.Type {
      unsafeBitCast(Unique.self as any ~Copyable.Type, to: Any.Type.self)
    }
  }

  struct Pair<First, Second: Numbered> {
    var first: First
    var second: Second
  }

  enum Choice {
    case none
    case number(Int)
    case text(String, count: Int)
  }

  enum Tree {
    case leaf
    indirect case node(Int)
  }

  protocol Counted {
    associatedtype Count
  }

  protocol Numbered {
    var number: Int { get }
  }

  protocol Ordered: Numbered, Counted {}

  protocol Bound: AnyObject {}

  final class Bounded: Base, Bound {}

  struct Failure: Error {
    let number: Int
  }

  // Function values are stored as they are called: in a generic type they would be called otherwise.
  struct Plain {
    let function: (Int) -> Int
  }

  /// A closure that has captured a number of eight bytes and one of a byte.
  @inline(never)
  static func adding(_ number: Int, _ byte: UInt8) -> Plain { Plain { $0 + number + Int(byte) } }

  struct Throwing {
    let function: (Int, Double, UInt8) throws -> (Int, Int, Double)
  }

  struct Async {
    let function: (Int) async -> Int
  }
}

extension Int: ABISample.Numbered {
  var number: Int { self }
}

/// A function that asks for a replacement.
@inline(never)
dynamic func abiDynamic(_ number: Int) -> Int { number &+ 1 }

@inline(never)
dynamic func abiDynamicAsync(_ number: Int) async -> Int { number &+ 1 }
