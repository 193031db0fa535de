// SPDX-License-Identifier: MIT

/// A property wrapper of a struct.
@propertyWrapper struct Clamped {
  private var value: Int
  private let limit: Int
  init(wrappedValue: Int, limit: Int) {
    self.limit = limit
    value = min(wrappedValue, limit)
  }
  var wrappedValue: Int {
    get { value }
    set { value = min(newValue, limit) }
  }
  var projectedValue: String { "\(value) of \(limit)" }
}

/// A generic property wrapper of a class.
@propertyWrapper final class Logged<Value> {
  private let live = Live("Logged")
  private(set) var count = 0
  private var value: Value
  init(wrappedValue: Value) { value = wrappedValue }
  var wrappedValue: Value {
    get { value }
    set {
      count += 1
      value = newValue
    }
  }
  var projectedValue: Logged<Value> { self }
}

struct Controls {
  @Clamped(limit: 10) var volume = 3
  @Logged var title = "t"
  @Logged var points: [Int] = []
  mutating func louder(_ step: Int) -> Int {
    volume += step
    return volume
  }
}

final class Desk {
  private let live = Live("Desk")
  @Clamped(limit: 5) var height = 9
  @Logged var drawers = ["a": 1]
}

/// Yields its storage.
struct Buffer {
  private var storage: [String] = ["a", "b"]
  private(set) var writes = 0
  var items: [String] {
    _read { yield storage }
    _modify {
      writes += 1
      yield &storage
    }
  }
  subscript(index: Int) -> String {
    _read { yield storage[index] }
    _modify {
      writes += 10
      yield &storage[index]
    }
  }
  var counts: [Int] {
    get { storage.map(\.count) }
    set { storage = newValue.map { String(repeating: "x", count: $0) } }
  }
}

private func change(_ text: inout String, _ items: inout [String]) {
  text += "?"
  items.append(text)
}

func runWrappers(_ say: Say) {
  var controls = Controls()
  say("volume \(controls.louder(4)) \(controls.louder(9)) \(controls.$volume)")
  controls.volume = 2
  controls.title = "v"
  controls.points = [3]
  controls.title += "u"
  controls.points.append(4)
  controls.points[0] += 1
  say(
    "logged \(controls.title) \(controls.$title.count) \(controls.points) \(controls.$points.count)"
  )
  let desk = Desk()
  desk.height = 4
  desk.height -= 1
  desk.drawers = ["c": 3]
  desk.drawers["b"] = 2
  desk.drawers["a", default: 0] += 5
  say("desk \(desk.height) \(desk.$height) \(desk.drawers["a"] ?? 0) \(desk.drawers.count)")

  var buffer = Buffer()
  buffer.items.append("c")
  buffer[0] += "!"
  buffer.counts[1] += 3
  var text = "t"
  change(&text, &buffer.items)
  change(&buffer[1], &text.list)
  buffer.counts[0] = 1
  let made = Controls(volume: 50, title: "m", points: [])
  say("made \(made.volume) \(made.title) \(names([Buffer.self]))")
  say("buffer \(buffer.items) \(buffer.writes) \(buffer[2]) \(buffer.counts) \(text)")
}

extension String {
  /// The characters as an array of texts.
  fileprivate var list: [String] {
    get { map { String($0) } }
    set { self = newValue.joined(separator: "-") }
  }
}
