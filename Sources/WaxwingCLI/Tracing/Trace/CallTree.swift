// SPDX-License-Identifier: MIT

import WaxwingControl

/// A call with the calls that it made, as far as they are traced.
struct CallTree {
  let call: TracedCall
  let selector: String
  let children: [CallTree]

  /// Seconds that the call took without those that it made.
  var ownCost: Double { max(0, call.cost - children.reduce(0) { $0 + $1.call.cost }) }
}

/// Puts calls together to trees. Calls come in the order of their ends: those that a call makes come before it.
struct CallTreeBuilder {
  /// Trees whose callers have not ended, by thread, in the order of their ends.
  private var open: [Int: [CallTree]] = [:]

  /// Calls whose callers are not traced, or not shown, wait in vain: of one thread not more than these.
  private static let capacity = 1000

  /// Times come in microseconds.
  private static let resolution = 1e-6

  /// Adds a call that has ended.
  /// - Returns: The trees that are complete with it, in the order of their beginnings.
  mutating func add(_ call: TracedCall, _ selector: String) -> [CallTree] {
    var trees = open[call.thread] ?? []
    let first = trees.lastIndex { tree in
      tree.call.level <= call.level || tree.call.began < call.began - Self.resolution
    }
    let start = first.map { $0 + 1 } ?? trees.startIndex
    let children = Array(trees[start...])
    trees.removeSubrange(start...)
    trees.append(CallTree(call: call, selector: selector, children: children))
    let isComplete = call.level <= 1 || trees.count > Self.capacity
    open[call.thread] = isComplete ? nil : trees
    return isComplete ? trees : []
  }

  /// Ends the trees that still wait for a caller.
  mutating func end() -> [CallTree] {
    defer { open = [:] }
    return open.values.joined().sorted { $0.call.began < $1.call.began }
  }
}
