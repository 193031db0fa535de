// SPDX-License-Identifier: MIT

import Synchronization

/// Is told of what happens at a station.
public protocol StationObserver: AnyObject {
  func note(_ text: String)
}

/// Anything that a station can hold, in an existential that is not class-bound.
public protocol StationPart {}

/// An object with every kind of stored property that can hold a closure or another object.
open class Station: StationObserver, StationPart, @unchecked Sendable {
  public enum Track {
    case free
    case reserved(by: Station)
    case blocked(until: Int, call: () -> Int)
  }

  public struct Timetable {
    public var count = 0
    public var next: Station?
    public var last: Station?
  }

  public static let alive = Atomic(0)
  public static let kept = Mutex<[Station]>([])

  public let number: Int
  public var name: String
  public var onTrain: () -> Int = { 0 }
  public var onSignal: (() -> Int)?
  public var onTrains: [() -> Int] = []
  public var onNamed: [String: (Int) -> Int] = [:]
  public var delegate: (any StationObserver)?
  public var part: (any StationPart)?
  public var next: Station?
  public var observers: [Station] = []
  public var byName: [String: Station] = [:]
  public var track = Track.free
  public var timetable: Timetable?
  public weak var parent: Station?

  public init(number: Int) {
    self.number = number
    name = "station \(number)"
    Self.alive.add(1, ordering: .relaxed)
  }

  deinit {
    Self.alive.subtract(1, ordering: .relaxed)
  }

  open func wire() -> Int { 0 }
  open func join(_ other: Station) -> Int { 0 }
  open func ask() -> Int { -1 }
  open func step(_ number: Int) -> Int { number }
  open func note(_ text: String) {}
  public func train() -> Int { onTrain() }
  public func signal() -> Int { onSignal?() ?? -1 }
  public func trains() -> [Int] { onTrains.map { $0() } }
  public func add(_ observer: Station) { observers.append(observer) }
  public func add(_ closure: @escaping () -> Int) { onTrains.append(closure) }
  /// Comes back when `body` has.
  open func hold(_ body: () -> Void) -> Int {
    body()
    return number
  }
  public func follow(_ other: Station) { onTrain = { other.number } }
  public func keep() { Self.kept.withLock { $0.append(self) } }
  public static func dropKept() { Self.kept.withLock { $0 = [] } }
}

/// Says goodbye when it dies: by a method that can be overridden, and by its closure.
public final class Terminus: Station, @unchecked Sendable {
  public static let goodbyes = Mutex<[String]>([])
  deinit {
    let text = goodbye()
    let answer = onTrain()
    Self.goodbyes.withLock { $0.append("\(text) \(answer)") }
  }
  public func goodbye() -> String { "bye" }
}
