// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// A flame graph of the calls, written when the trace ends.
final class FlameGraphFile: TraceFile {
  private let output: TraceWriter
  private var builder = CallTreeBuilder()
  private var graph = FlameGraph()

  init(_ path: String) throws(CommandError) {
    output = try TraceWriter(path)
  }

  func add(_ call: TracedCall, _ selector: String) {
    for tree in builder.add(call, selector) { graph.add(tree) }
  }

  func close() throws(CommandError) {
    for tree in builder.end() { graph.add(tree) }
    try output.write(graph.svg)
    try output.close()
  }
}
