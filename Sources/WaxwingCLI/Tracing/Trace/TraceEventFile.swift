// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// A file of calls in the Trace Event Format, which Perfetto and chrome://tracing read: an array of
/// complete events, times in microseconds.
/// <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>
final class TraceEventFile: TraceFile {
  private struct Event: Encodable {
    struct Arguments: Encodable {
      let arguments, receiver, outcome: String
    }

    let name: String
    let ph = "X"
    let ts, dur: Double
    let pid = 1
    let tid: Int
    let args: Arguments

    enum CodingKeys: CodingKey { case name, ph, ts, dur, pid, tid, args }
  }

  private let output: TraceWriter
  private var isFirst = true

  init(_ path: String) throws(CommandError) {
    output = try TraceWriter(path)
    try output.write("[\n")
  }

  func add(_ call: TracedCall, _ selector: String) throws(CommandError) {
    let event = Event(
      name: selector, ts: call.began * 1e6, dur: call.cost * 1e6, tid: call.thread,
      args: .init(
        arguments: call.arguments, receiver: call.receiver,
        outcome: (call.succeeded ? "" : "error: ") + call.outcome))
    try output.write((isFirst ? "" : ",\n") + JSONText.line(of: event))
    isFirst = false
  }

  /// A file that is not completed can be read as well.
  func close() throws(CommandError) {
    try output.write("\n]\n")
    try output.close()
  }
}
