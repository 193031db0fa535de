// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingDeclarations
import WaxwingToolKit

/// The calls of one function as they happen, below a line that says which.
struct TopTrace {
  private let path: String
  private let arguments: ParsedArguments
  private let function: String
  private let report: TraceReport
  private var calls: [String] = []
  private var dropped = 0
  /// Why there are no more calls; nil: there may be.
  private(set) var end: String?

  /// The number of lines that are kept, which is more than screens have.
  private static let most = 500

  /// Begins a trace. The daemon ends the trace by itself if no client asks for its calls.
  init(_ function: String, _ path: String, _ arguments: ParsedArguments) throws(CommandError) {
    self.path = path
    self.arguments = arguments
    self.function = function
    let daemon = try Daemon(at: path, arguments)
    let report = try daemon.send(TraceRequest(pattern: function))
    self.report = report
  }

  mutating func look() {
    guard end == nil else { return }
    do throws(CommandError) {
      let daemon = try Daemon(at: path, arguments)
      let batch = try daemon.send(TraceCallsRequest(name: report.name))
      dropped += batch.dropped
      for call in batch.calls where report.points.indices.contains(call.point - 1) {
        calls.append(VisibleText.line(TraceView.line(call, report.points[call.point - 1])))
      }
      calls.removeFirst(max(0, calls.count - Self.most))
    } catch { end = error.message }
  }

  func close() {
    guard end == nil, let daemon = try? Daemon(at: path, arguments, waitSeconds: 10)
    else { return }
    _ = try? daemon.send(RevertRequest(name: report.name, waitSeconds: 10))
  }

  /// The newest calls at the end.
  func lines(_ size: Screen.Size) -> [String] {
    let title = "calls of \(VisibleText.line(function))".cut(to: size.columns)
    let more = dropped > 0 ? "  \(dropped) not shown: too many at once" : ""
    let foot = end.map { "ended: \(VisibleText.line($0))" } ?? "q, Esc: back\(more)"
    let room = max(1, size.rows - 2)
    let shown = calls.suffix(room).map { $0.cut(to: size.columns) }
    let empty = Array(repeating: "", count: max(0, room - shown.count))
    return [TextStyle.bold.applied(to: title)] + shown + empty
      + [TextStyle.faint.applied(to: foot.cut(to: size.columns))]
  }
}
