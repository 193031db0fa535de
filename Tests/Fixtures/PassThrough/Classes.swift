// SPDX-License-Identifier: MIT

import Synchronization

// Which class a function runs for.

open class Shape {
  private static let count = Atomic<Int>(0)
  public static var alive: Int { count.load(ordering: .sequentiallyConsistent) }
  public var name = "shape"
  private let token = Token()
  private final class Token {
    init() { Shape.count.add(1, ordering: .sequentiallyConsistent) }
    deinit { Shape.count.subtract(1, ordering: .sequentiallyConsistent) }
  }
  public init() { name = "a \(type(of: self))" }
  public init?(named name: String) {
    if name.isEmpty { return nil }
    self.name = name
  }
  open func area() -> Int { 1 }
  public class func make() -> Self { self.init(required: 2) }
  public required init(required: Int) { name = "\(type(of: self)) \(required)" }
  public class var title: String { "title of \(self)" }
  public static func describe() -> String { "\(self)" }
  public convenience init(twice: String) { self.init(required: twice.count * 2) }
}

public final class Square: Shape {
  public var side: Int
  public override init() {
    side = 3
    super.init()
  }
  public override init?(named name: String) {
    side = 4
    super.init(named: name)
  }
  public required init(required: Int) {
    side = required
    super.init(required: required)
  }
  public override func area() -> Int { side * side }
  public override class var title: String { "square \(super.title)" }
}

public final class Dial {
  public private(set) var notes: [String] = []
  public init() {}

  public var position = 0 {
    willSet { notes.append("will \(newValue)") }
    didSet { notes.append("was \(oldValue)") }
  }

  public var mark = "a" {
    didSet { notes.append("marked \(mark)") }
  }
}
