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
