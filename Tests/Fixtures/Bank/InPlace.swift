// SPDX-License-Identifier: MIT

import Synchronization

/// What it has is changed in place: `easel.scale += 1` calls neither the getter nor the setter of a
/// stored property, but a coroutine.
open class Easel {
  open var scale = 1.0
  open var tags: [String] = []
  /// Observed.
  open var border = 0 {
    didSet { borders.append(border) }
  }
  public var borders: [Int] = []
  /// Computed.
  open var width: Double {
    get { scale * 2 }
    set { scale = newValue / 2 }
  }
  private var marks: [String: Int] = [:]
  open subscript(mark name: String) -> Int {
    get { marks[name] ?? 0 }
    set { marks[name] = newValue }
  }
  private static let levels = Mutex(0)
  open class var level: Int {
    get { levels.withLock { $0 } }
    set { levels.withLock { $0 = newValue } }
  }

  public required init() {}

  /// In the class's own module.
  public func enlarge() {
    scale += 1
    tags.append("large")
    border += 1
    width += 1
    self[mark: "large"] += 1
    Self.level += 1
  }

  public func fail() throws {
    try Self.fail(&scale)
  }

  private static func fail(_ scale: inout Double) throws {
    scale += 1
    throw SketchError.tooLarge(scale)
  }
}

/// Generic.
open class EaselBox<Element> {
  open var content: Element
  open var all: [Element] = []
  public init(_ content: Element) { self.content = content }
  public func swapped(_ other: inout Element) { swap(&content, &other) }
}

/// Makes them.
public final class EaselMaker {
  public init() {}
  public func easel() -> Easel? { nil }
  public func box() -> EaselBox<Int>? { nil }
  public func words() -> EaselBox<String>? { nil }
}

/// A root without fields.
open class Lectern {
  public init() {}
  open func label() -> String { "desk" }
}

/// Its initializer fails after its own fields are set.
open class Drawer: Lectern {
  public var papers: [String]
  public init(papers: [String]) throws {
    self.papers = papers
    if papers.count > 3 { throw SketchError.tooLarge(Double(papers.count)) }
    super.init()
  }
  public required init?(maybe name: String) {
    papers = [name]
    if name.isEmpty { return nil }
    super.init()
  }
  public static func make(_ type: Drawer.Type, _ name: String) -> Drawer? { type.init(maybe: name) }
  open func width<Number: FixedWidthInteger>(of _: Number) -> Int { Number.bitWidth }
}

@inline(never) public func narrowWidth(_ drawer: Drawer) -> Int { drawer.width(of: UInt8(1)) }

public protocol Stamped {
  static func stamp() -> String
  static var rank: Int { get }
}

public struct PlainStamp: Stamped {
  public static func stamp() -> String { "plain" }
  public static var rank: Int { 0 }
}

public func postmarkGenerically<Value: Stamped>(_: Value.Type) -> String {
  "\(Value.stamp()) \(Value.rank)"
}
public func postmark(_ type: any Any.Type) -> String {
  (type as? any Stamped.Type).map { postmarkGenerically($0) } ?? "not labelled"
}
