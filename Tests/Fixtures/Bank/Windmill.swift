// SPDX-License-Identifier: MIT

import Synchronization

/// A class with one of everything that can be overridden.
public final class Windmill {
  public static let farewells = Mutex<[String]>([])
  public let name: String
  public var level: Int { didSet { changes += 1 } }
  public private(set) var changes = 0
  private var slots = [0, 0, 0]
  private var listeners: [(Int) -> Void] = []

  public init(name: String) {
    self.name = name
    level = 1
  }

  deinit {
    let text = farewell()
    Self.farewells.withLock { $0.append(text) }
  }

  public var title: String {
    get { "machine \(name)" }
    set { level = newValue.count }
  }

  public subscript(index: Int) -> Int {
    get { slots[index] }
    set { slots[index] = newValue }
  }

  public func listen(_ listener: @escaping (Int) -> Void) { listeners.append(listener) }
  public func start() -> Int {
    for listener in listeners { listener(level) }
    return level
  }
  public static func standard() -> Windmill { Windmill(name: "standard") }
  public func wrap<Part>(_ part: Part) -> [Part] { [part] }
  public func farewell() -> String { "bye \(name)" }
}

/// What is called in every way that a compiler may shorten.
public final class Shortcuts {
  public init() {}

  // Final class, private, fileprivate, called within the module.
  public func open() -> Int { 1 }
  private func hidden() -> Int { 2 }
  public func callsHidden() -> Int { hidden() }
  public func callsOpen() -> Int { open() }

  // Bodies that other modules see.
  @inlinable public func inlinable() -> Int { 3 }
  public func callsInlinable() -> Int { inlinable() }

  // Small enough to be inlined, if it were not for implicit dynamic.
  @inline(__always) public func always() -> Int { 4 }
  public func callsAlways() -> Int { always() }

  public var computed: Int { 5 }
  public func callsComputed() -> Int { computed }
  public static func shared() -> Int { 6 }
  public func callsShared() -> Int { Self.shared() }
  public func generic<T>(_ value: T, _ n: Int) -> Int { n + MemoryLayout<T>.size }
  public func callsGeneric() -> Int { generic(Int8(1), 7) }
}

private func fileFunction() -> Int { 8 }
public func callsFileFunction() -> Int { fileFunction() }

/// By protocol, by closure, by key path.
public protocol Shortcutting { func open() -> Int }
extension Shortcuts: Shortcutting {}
public func callsByProtocol(_ value: any Shortcutting) -> Int { value.open() }
public func callsByClosure(_ value: Shortcuts) -> Int { [value].map { $0.open() }[0] }
public func callsByReference(_ value: Shortcuts) -> Int {
  let function = value.open
  return function()
}
public func callsByKeyPath(_ value: Shortcuts) -> Int { value[keyPath: \.computed] }
