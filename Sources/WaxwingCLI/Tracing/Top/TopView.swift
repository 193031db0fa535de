// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingDeclarations
import WaxwingToolKit

/// The screen of `waxwing top`: its selection, and the lines that show it.
struct TopView {
  var sample: TopSample
  var order = TopOrder.calls
  var filter = ""
  var isTyping = false
  /// Why the sample is an old one; nil: it is not.
  var trouble: String?
  var hasColours = true
  private(set) var selected = 0

  init(_ sample: TopSample) { self.sample = sample }

  /// The overrides that the filter leaves, in order.
  var rows: [TopRow] { order.sorted(sample.overrides.filter(matches), sample.patches) }

  var selectedRow: TopRow? {
    let rows = rows
    return rows.indices.contains(selected) ? rows[selected] : rows.last
  }

  private func matches(_ row: TopRow) -> Bool {
    let wanted = filter.lowercased()
    return wanted.isEmpty || row.function.lowercased().contains(wanted)
      || row.patch.lowercased().contains(wanted)
  }

  mutating func move(by count: Int) {
    selected = min(max(0, min(selected, rows.count - 1) + count), max(0, rows.count - 1))
  }

  // MARK: Lines

  /// The lines of the view, at most as many as the screen has. No line is wider than the screen if
  /// the screen has at least 64 columns.
  func lines(_ size: Screen.Size) -> [String] {
    let width = size.columns
    var lines = [styled(title.cut(to: width), .bold)]
    // Half of what is left for the patches, and at least one for each half.
    let room = max(2, size.rows - 5)
    let patches = order.sorted(sample.patches, sample.overrides)
    let patchLines = cut(patches.map { patchLine($0, width) }, to: max(1, room / 2))
    lines += [heading(Self.patchHeading(width), width)] + patchLines + [""]
    lines.append(heading(Self.rowHeading(width), width))
    lines += rowLines(width, room: max(1, room - patchLines.count))
    if size.rows > lines.count {
      lines += Array(repeating: "", count: size.rows - lines.count - 1)
      lines.append(styled(footer.cut(to: width), .faint))
    }
    return Array(lines.prefix(size.rows))
  }

  private var title: String {
    let rate = sample.patches.reduce(0) { $0 + $1.rate }
    let errors = sample.patches.reduce(0) { $0 &+ $1.errors }
    let text =
      "\(sample.daemon.name) (pid \(sample.daemon.pid)): \(counted(sample.patches.count, "patch", plural: "patches")), "
      + "\(counted(sample.overrides.count, "override")), \(Self.number(rate)) calls/s, "
      + counted(errors, "error")
    return VisibleText.line(text)
  }

  private var footer: String {
    if isTyping { return "filter: \(VisibleText.line(filter))_   Enter keeps it, Esc clears it" }
    if let trouble { return "as it was: \(VisibleText.line(trouble))" }
    let filtered = filter.isEmpty ? "/ filter" : "/ filter: \(VisibleText.line(filter))"
    let measure = sample.patches.allSatisfy(\.isMeasured) ? "w stops measuring" : "w measures"
    return "q quit  ↑↓ select  Enter trace  s sort: \(order.rawValue)  \(filtered)  \(measure)"
  }

  /// Around the selected one, where there are too many.
  private func rowLines(_ width: Int, room: Int) -> [String] {
    let rows = rows
    if rows.isEmpty {
      let why =
        sample.patches.isEmpty
        ? "no patches" : filter.isEmpty ? "no overrides" : "no override matches"
      return [why.cut(to: width)]
    }
    let chosen = min(selected, rows.count - 1)
    let first = max(0, min(chosen - room / 2, rows.count - room))
    return rows.enumerated().dropFirst(first).prefix(room).map { index, row in
      rowLine(row, width, isSelected: index == chosen)
    }
  }

  private func cut(_ lines: [String], to room: Int) -> [String] {
    if lines.count <= room { return lines }
    return lines.prefix(room - 1) + ["… \(lines.count - room + 1) more"]
  }

  // MARK: Columns

  /// The width that is left for names beside the numbers.
  private static func nameWidth(_ width: Int, beside others: Int) -> Int { max(8, width - others) }

  private static func patchHeading(_ width: Int) -> String {
    left("PATCH", nameWidth(width, beside: 56)) + left("  STATE", 12)
      + cells(["CALLS/S", "FLIGHT", "TASKS", "MEMORY"], 35) + right("ERRORS", 9)
  }

  private func patchLine(_ patch: TopPatch, _ width: Int) -> String {
    let name = VisibleText.line(patch.name).cut(to: Self.nameWidth(width, beside: 56))
    let head = Self.left(name, Self.nameWidth(width, beside: 56))
    let state = Self.left("  \(patch.state)", 12)
    let numbers = Self.cells(
      [
        Self.number(patch.rate), "\(patch.callsInFlight)", "\(patch.tasks)",
        Self.bytes(patch.memory),
      ],
      35)
    let errors = Self.right("\(patch.errors)", 9)
    return head + styled(state, patch.state == .active ? nil : .yellow) + numbers
      + styled(errors, patch.errors > 0 ? .red : nil)
  }

  private static func rowHeading(_ width: Int) -> String {
    left("OVERRIDE", nameWidth(width, beside: 47)) + left("  PATCH", 13)
      + cells(["CALLS/S", "P50", "P99"], 25) + right("ERRORS", 9)
  }

  private func rowLine(_ row: TopRow, _ width: Int, isSelected: Bool) -> String {
    let room = Self.nameWidth(width, beside: 47)
    let name = Self.left(VisibleText.line(row.function).cutAtFront(to: room), room)
    let patch = Self.left("  " + VisibleText.line(row.patch).cut(to: 11), 13)
    let times = row.times?.shortCells ?? ["-", "-", "-"]
    let numbers = Self.cells([Self.number(row.rate), times[0], times[1]], 25)
    let errors = Self.right(row.isOff ? "off" : "\(row.errors)", 9)
    if isSelected { return styled(name + patch + numbers + errors, .reversed) }
    return name + patch + numbers + styled(errors, row.errors > 0 || row.isOff ? .red : nil)
  }

  private func heading(_ text: String, _ width: Int) -> String {
    styled(Self.left(text, width).cut(to: width), .bold)
  }

  private func styled(_ text: String, _ style: TextStyle?) -> String {
    guard let style, hasColours || style.isPlain else { return text }
    return style.applied(to: text)
  }

  /// Numbers, nine characters each, of which the first gives way for the whole to be so wide.
  private static func cells(_ texts: [String], _ width: Int) -> String {
    right(texts[0], width - 9 * (texts.count - 1))
      + texts.dropFirst().map { right($0, 9) }.joined()
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Calls in a second.
  static func number(_ rate: Double) -> String {
    if rate >= 99.95 { return "\(Int(min(rate, 1e15).rounded()))" }
    let tenths = Int((max(0, rate) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  static func bytes(_ count: Int) -> String {
    let kilobytes = (count + 512) / 1024
    return kilobytes < 10_000 ? "\(kilobytes) KB" : "\(kilobytes / 1024) MB"
  }
}

extension String {
  /// The end, as many characters as fit: in a long selector the method is what matters.
  fileprivate func cutAtFront(to width: Int) -> String {
    count <= width ? self : width < 1 ? "" : "…" + suffix(width - 1)
  }
}
