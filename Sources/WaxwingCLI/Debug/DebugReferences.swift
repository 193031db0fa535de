// SPDX-License-Identifier: MIT

/// The numbers by which an editor asks for frames and for the contents of values.
struct DebugReferences {
  /// A function that a call is in.
  struct Frame: Hashable {
    let call: Int
    let stop: UInt64
    let level: Int
  }

  /// A value that can be looked into.
  struct Value: Hashable {
    let call: Int
    let stop: UInt64
    let handle: Int
  }

  private var last = 0
  private(set) var frames: [Int: Frame] = [:]
  private(set) var values: [Int: Value] = [:]

  mutating func number(of frame: Frame) -> Int {
    if let known = frames.first(where: { $0.value == frame }) { return known.key }
    last += 1
    frames[last] = frame
    return last
  }

  /// 0: there is nothing in it.
  mutating func number(of value: Value) -> Int {
    if value.handle == 0 { return 0 }
    last += 1
    values[last] = value
    return last
  }

  /// The call goes on: its numbers mean nothing any more.
  mutating func forget(call: Int) {
    frames = frames.filter { $0.value.call != call }
    values = values.filter { $0.value.call != call }
  }
}
