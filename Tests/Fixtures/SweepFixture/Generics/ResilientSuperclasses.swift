// SPDX-License-Identifier: MIT

// Generic classes whose superclass is of a library that may add members to it: where their generic
// arguments are in the metadata is known when the program runs.

final class Rounds<T>: ManagedBuffer<Int, T> {
  static func filled(_ element: T, count: Int) -> Rounds<T> {
    let ring = unsafeDowncast(create(minimumCapacity: count) { _ in count }, to: Rounds<T>.self)
    ring.withUnsafeMutablePointerToElements { $0.initialize(repeating: element, count: count) }
    return ring
  }
  deinit {
    withUnsafeMutablePointers { count, elements in
      _ = elements.deinitialize(count: count.pointee)
    }
  }

  subscript(index: Int) -> T {
    get { withUnsafeMutablePointerToElements { $0[index] } }
    set { withUnsafeMutablePointerToElements { $0[index] = newValue } }
  }
  func used() -> Int { header }
  func paired<U>(_ other: U) -> (T, U) { (self[0], other) }
  func later() async -> T { self[0] }
  class func title() -> String { "\(T.self)" }
}

class Tray<T: Tagged, U>: ManagedBuffer<[T], U> {
  class func made(_ tagged: T) -> Tray<T, U> {
    unsafeDowncast(create(minimumCapacity: 1) { _ in [tagged] }, to: Tray<T, U>.self)
  }
  func text(_ tagged: T, _ other: U) -> String { "\(tagged.label) \(other) \(header)" }
}

class IntTray<V>: Tray<Int, V> {
  override func text(_ tagged: Int, _ other: V) -> String { "int " + super.text(tagged, other) }
  func number(_ other: V) -> String { "\(other) \(header.count)" }
}

final class WordTray: IntTray<String> {
  func words() -> String { number("word") }
}

func ringFirst<T>(_ ring: Rounds<T>, _ other: T) -> [T] { [ring[0], other] }

func runResilientSuperclasses(_ say: Say) async {
  let ring = Rounds<String>.filled("a", count: 3)
  ring[1] = "b"
  say("ring \(ring[1]) \(ring.used()) \(ring.paired(4)) \(await ring.later())")
  say("ring \(Rounds<Int>.title()) \(ringFirst(ring, "c")) \(ringFirst(.filled(4, count: 1), 5))")
  let tray = IntTray<Double>.made(3)
  say("tray \(tray.text(4, 5.5)) \((tray as? IntTray<Double>)?.number(6.5) ?? "")")
  let words = WordTray.made(7)
  say("words \(words.text(8, "w")) \((words as? WordTray)?.words() ?? "")")
}
