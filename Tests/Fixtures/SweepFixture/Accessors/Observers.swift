// SPDX-License-Identifier: MIT

/// Properties with observers.
final class Meter {
  private let live = Live("Meter")
  var log: [String] = []
  var value = 0 {
    willSet { log.append("will \(value)->\(newValue)") }
    didSet { log.append("did \(oldValue)->\(value)") }
  }
  var name = "m" {
    didSet { if name.isEmpty { name = oldValue } }
  }
  var list: [Int] = [] {
    didSet { log.append("list \(oldValue.count)->\(list.count)") }
  }
  var purse: Purse? {
    didSet { log.append("purse \(oldValue?.total() ?? -1)->\(purse?.total() ?? -1)") }
  }
}

/// Observers of a struct change it further.
struct Dial {
  var position = 0 {
    didSet {
      if position > 10 { position = 10 }
      turns += 1
    }
  }
  var label = "d" {
    willSet { previous.append(label) }
  }
  var turns = 0
  var previous: [String] = []
}

/// Static and global properties, computed and observed.
enum Settings {
  nonisolated(unsafe) private static var raw = 3
  static var level: Int {
    get { raw }
    set { raw = newValue * 2 }
  }
  nonisolated(unsafe) static var name = "s" {
    didSet { raw += 1 }
  }
  static var names: [String] { [name, "\(raw)"] }
  static subscript(key: String) -> Int {
    get { key.count + raw }
    set { raw = newValue - key.count }
  }
}

nonisolated(unsafe) private var globalStore = [1, 2, 3]

private var globalSum: Int {
  get { globalStore.reduce(0, +) }
  set { globalStore.append(newValue) }
}

nonisolated(unsafe) var globalObserved = 0 {
  didSet { globalStore.append(oldValue) }
}

func runObservers(_ say: Say) {
  let meter = Meter()
  meter.value = 4
  meter.value += 2
  meter.name = "n"
  meter.name = ""
  meter.list.append(1)
  meter.list[0] = 7
  meter.purse = Purse(cents: 3)
  meter.purse = nil
  say("purse \(meter.purse == nil)")
  say("meter \(meter.value) \(meter.name) \(meter.list) \(meter.log)")
  var dial = Dial()
  dial.position = 40
  dial.position -= 1
  dial.label = "e"
  say("dial \(dial.position) \(dial.turns) \(dial.label) \(dial.previous)")
  let made = Dial(position: 3, label: "m", turns: 1, previous: ["p"])
  say("made \(made.position) \(made.label) \(made.turns) \(made.previous)")
  Settings.level = 5
  Settings.level += 1
  Settings.name = "t"
  Settings["abc"] += 10
  say("settings \(Settings.level) \(Settings.names) \(Settings["ab"])")
  Settings["x"] = 4
  Settings.name = "s"
  globalSum += 4
  globalObserved = 6
  say("observed \(globalObserved)")
  globalObserved = 0
  say("globals \(globalSum) \(globalStore)")
  globalStore = [1, 2, 3]
}
