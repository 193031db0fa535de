// SPDX-License-Identifier: MIT

/// Computed properties of a class, of several types.
class Panel {
  fileprivate let live = Live("Panel")
  private var cells: [String: Int] = [:]
  var width = 2.0
  private var stored = "x"

  var height: Double {
    get { width * 2 }
    set { width = newValue / 2 }
  }
  var area: Double { width * height }
  var caption: String {
    get { stored }
    set { stored = newValue + "." }
  }
  var optional: Int? {
    get { cells["optional"] }
    set { cells["optional"] = newValue }
  }
  var pair: (Int, String) {
    get { (cells["pair"] ?? 0, stored) }
    set {
      cells["pair"] = newValue.0
      stored = newValue.1
    }
  }
  var tags: [String] {
    get { cells.keys.sorted() }
    set { for key in newValue { cells[key] = key.count } }
  }
  var action: (Int) -> Int {
    get { { [width] in $0 + Int(width) } }
    set { width = Double(newValue(1)) }
  }
  var level: Direction {
    get { cells["level"].map { Direction.north.turned($0) } ?? .north }
    set { cells["level"] = Direction.allCases.firstIndex(of: newValue) }
  }
  private var secret: Int {
    get { cells["secret"] ?? -1 }
    set { cells["secret"] = newValue }
  }
  func tell(_ number: Int) -> Int {
    secret = number
    secret += 1
    return secret
  }
  var next: Panel? { nil }
}

final class WidePanel: Panel {
  private var log = 0
  override var height: Double {
    get { super.height + 1 }
    set { super.height = newValue - 1 }
  }
  override var caption: String {
    get { "W" + super.caption }
    set { super.caption = newValue.lowercased() }
  }
  override var width: Double {
    didSet { log += Int(oldValue) }
  }
  var seen: Int { log }
  override var next: Panel? { self }
}

/// Computed properties of a struct.
struct Gauge {
  var raw: Int16 = 0
  var celsius: Double {
    get { Double(raw) / 10 }
    set { raw = Int16(newValue * 10) }
  }
  var parts: (whole: Int, tenth: Int) {
    get { (Int(raw) / 10, Int(raw) % 10) }
    set { raw = Int16(newValue.whole * 10 + newValue.tenth) }
  }
  var isHot: Bool { raw > 300 }
  var moved: Gauge { Gauge(raw: raw + 1) }
}

private func changed<T: Panel>(_ panel: T, _ body: (T) -> Void) -> T {
  body(panel)
  return panel
}

func runComputed(_ say: Say) {
  for panel in [Panel(), WidePanel()] {
    panel.height = 9
    panel.height += 1
    say("size \(panel.width) \(panel.height) \(panel.area)")
    panel.caption = "AB"
    panel.caption.append("c")
    say("caption \(panel.caption)")
    panel.optional = 4
    panel.optional? += 1
    say("optional \(panel.optional ?? -1)")
    panel.optional = nil
    panel.pair = (8, "p")
    panel.pair.0 -= 3
    say("pair \(panel.pair) \(panel.optional ?? -1)")
    panel.tags = ["one", "three"]
    panel.tags.append("fifth")
    say("tags \(panel.tags)")
    panel.action = { $0 * 40 }
    say("action \(panel.action(2)) \(panel.width)")
    panel.level = .west
    panel.level.turn()
    say("level \(panel.level) \(panel.tell(5)) \(panel.next === panel)")
  }
  say("seen \(changed(WidePanel()) { $0.width = 7 }.seen)")
  var gauge = Gauge()
  gauge.celsius = 21.5
  gauge.celsius += 1
  gauge.parts.tenth += 3
  say("gauge \(gauge.raw) \(gauge.celsius) \(gauge.parts) \(gauge.isHot) \(gauge.moved.raw)")
}
