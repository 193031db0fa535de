// SPDX-License-Identifier: MIT

import Synchronization

public enum SketchError: Error, Equatable {
  case tooLarge(Double)
}

/// A class that scripts make subclasses of.
open class Sketch: @unchecked Sendable {
  /// What its deinitializers have said.
  public static let ends = Mutex<[String]>([])

  public var name: String
  open var scale = 1.0

  public required init(name: String) {
    self.name = name
  }

  public init(sized size: Double) throws {
    if size > 100 { throw SketchError.tooLarge(size) }
    name = "sized"
    scale = size
  }

  public init?(maybe name: String) {
    if name.isEmpty { return nil }
    self.name = name
  }

  public required convenience init(short: String) {
    self.init(name: "short " + short)
  }

  deinit { Self.ends.withLock { $0.append("end of \(name)") } }

  open func area() -> Double { 1.5 * scale }
  open func describe() -> String { "\(name) has area \(area())" }
  public final func finalDescribe() -> String { "final \(name) \(area())" }
  open var title: String { "sketch \(name)" }
  open func grow(by factor: Double) throws -> Double {
    scale *= factor
    return scale
  }
  open func fetch(_ number: Int) async -> String { "\(name) \(number)" }
  open subscript(index: Int) -> Int { index * 10 }
  open class func kind() -> String { "plain" }
  open class var sides: Int { 0 }
  open class func kindTwice() -> String { kind() + kind() }
  public func isSame(_ other: Sketch) -> Bool { self === other }
}

/// One below it.
open class SketchPolygon: Sketch, @unchecked Sendable {
  override open func area() -> Double { super.area() * 4 }
  open func corners() -> Int { 4 }
}

/// Cannot have subclasses.
public final class SketchPoint: Sketch, @unchecked Sendable {
  public var x = 0
}

/// Nobody outside knows of it.
class SketchSecret {
  let value: Int
  init(value: Int) { self.value = value }
  func reveal(_ by: Int) -> Int { value + by }
}

/// Generic.
open class SketchBox<Element> {
  public var content: Element
  public init(_ content: Element) { self.content = content }
  open func peek() -> Element { content }
  open func count() -> Int { 1 }
}

/// Holds figures as Swift does.
public final class SketchBook {
  public var figures: [Sketch] = []
  public weak var favourite: Sketch?
  public init() {}
  public func add(_ figure: Sketch) { figures.append(figure) }
  /// The area before something happens, and after it. How it is asked for is read once.
  public func areas(of figure: Sketch, _ between: () -> Void) -> [Double] {
    (0..<2).map { number in
      if number == 1 { between() }
      return figure.area()
    }
  }
  public func totalArea() -> Double { figures.reduce(0) { $0 + $1.area() } }
  public func make(_ type: Sketch.Type) -> Sketch { type.init(name: "made") }
  public func makeShort(_ type: Sketch.Type) -> Sketch { type.init(short: "one") }
  public func reveal(_ any: AnyObject, _ by: Int) -> Int {
    (any as? SketchSecret)?.reveal(by) ?? -1
  }
  public func peek(_ crate: SketchBox<Int>) -> Int { crate.peek() + crate.count() }
  public func kind(_ type: Sketch.Type) -> String { type.kindTwice() + " \(type.sides)" }
  public func run(_ count: Int) -> Int { count }
  public func hand(_ number: Int) -> AnyObject? { nil }
}

/// What patches let their sketches conform to.
public protocol SketchReader: AnyObject {
  func read(_ page: Int) -> String
}

final class ModelSketchReader: SketchReader {
  func read(_ page: Int) -> String { "model \(page)" }
}

@inline(never) public func readSketch(_ value: Any, _ page: Int) -> String {
  (value as? any SketchReader)?.read(page) ?? "no reader"
}
