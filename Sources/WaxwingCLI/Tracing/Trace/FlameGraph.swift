// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// Calls of the same functions by the same callers, put together: how the time is divided among them.
struct FlameGraph {
  /// The calls of one function by the same callers.
  struct Frame {
    var calls = 0
    /// Seconds that they took.
    var cost = 0.0
    var children: [String: Frame] = [:]

    mutating func add(_ tree: CallTree) {
      calls += 1
      cost += tree.call.cost
      for child in tree.children { children[child.selector, default: Frame()].add(child) }
    }

    /// Frames above one another, this one included.
    var depth: Int { 1 + (children.values.map(\.depth).max() ?? 0) }
  }

  private(set) var root = Frame()

  mutating func add(_ tree: CallTree) {
    root.cost += tree.call.cost
    root.calls += 1
    root.children[tree.selector, default: Frame()].add(tree)
  }

  // MARK: Picture

  private static let width = 1200.0
  private static let rowHeight = 18
  /// Narrower frames are left out.
  private static let narrowest = 0.2
  /// The approximate width of the font's characters.
  private static let characterWidth = 7.0

  /// The picture, with callers above the calls that they make. Each frame has its numbers as a
  /// tooltip.
  var svg: String {
    let height = (root.depth + 2) * Self.rowHeight
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(Int(Self.width))" height="\#(height)" "#
        + #"viewBox="0 0 \#(Int(Self.width)) \#(height)" font-family="monospace" font-size="12">"#,
      #"<rect width="100%" height="100%" fill="ivory"/>"#,
    ]
    draw(root, "all", at: 0, Self.width, row: 0, to: &lines)
    lines.append("</svg>\n")
    return lines.joined(separator: "\n")
  }

  private func draw(
    _ frame: Frame, _ name: String, at x: Double, _ width: Double, row: Int,
    to lines: inout [String]
  ) {
    guard width >= Self.narrowest else { return }
    let y = Self.rowHeight * (row + 1)
    let share = root.cost > 0 ? frame.cost / root.cost * 100 : 0
    let numbers =
      "\(counted(frame.calls, "call")), \(CallText.milliseconds(frame.cost)), \(Self.number(share)) %"
    lines.append(
      #"<g><title>\#(Self.escaped(name)): \#(numbers)</title>"#
        + #"<rect x="\#(Self.number(x))" y="\#(y)" width="\#(Self.number(max(width - 0.5, 0.1)))" "#
        + #"height="\#(Self.rowHeight - 1)" rx="1" fill="\#(Self.colour(of: name))"/>"#
        + Self.label(name, x, y, width) + "</g>")
    var next = x
    for (name, child) in frame.children.sorted(by: { $0.key < $1.key }) {
      let part = frame.cost > 0 ? width * child.cost / frame.cost : 0
      draw(child, name, at: next, part, row: row + 1, to: &lines)
      next += part
    }
  }

  private static func label(_ name: String, _ x: Double, _ y: Int, _ width: Double) -> String {
    let room = Int((width - 6) / characterWidth)
    guard room >= 3 else { return "" }
    let text = name.count <= room ? name : String(name.prefix(room - 1)) + "…"
    return #"<text x="\#(number(x + 3))" y="\#(y + rowHeight - 5)">\#(escaped(text))</text>"#
  }

  /// The colour of a function's bar: a name has the same one in each graph.
  private static func colour(of name: String) -> String {
    let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return "hsl(\(15 + hash % 40),\(70 + hash / 64 % 20)%,\(62 + hash / 4096 % 12)%)"
  }

  /// A number with two digits after the point.
  private static func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = String(String(100 + hundredths % 100).dropFirst())
    return "\(hundredths / 100).\(fraction)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
