// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl

/// A file of calls in the Trace Event Format, which Perfetto and chrome://tracing read: an array of
/// complete events, times in microseconds.
/// <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>
final class TraceEventFile {
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

  private let path: String
  private let file: UnsafeMutablePointer<FILE>
  private var isFirst = true

  init(_ path: String) throws(CommandError) {
    guard let file = fopen(path, "w") else { throw Self.failure(path) }
    self.path = path
    self.file = file
    try write("[\n")
  }

  func add(_ call: TracedCall, _ selector: String) throws(CommandError) {
    let event = Event(
      name: selector, ts: call.began * 1e6, dur: call.cost * 1e6, tid: call.thread,
      args: .init(
        arguments: call.arguments, receiver: call.receiver,
        outcome: (call.succeeded ? "" : "error: ") + call.outcome))
    try write((isFirst ? "" : ",\n") + JSONText.line(of: event))
    isFirst = false
  }

  /// Completes the file. A file that is not completed can be read as well.
  func close() throws(CommandError) {
    try write("\n]\n")
    guard fclose(file) == 0 else { throw Self.failure(path) }
  }

  private func write(_ text: String) throws(CommandError) {
    guard fputs(text, file) >= 0 else { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> CommandError {
    CommandError(
      .failure, "cannot write \(path): \(String(cString: strerror(errno)))",
      remedy: "give another file with --output")
  }
}
