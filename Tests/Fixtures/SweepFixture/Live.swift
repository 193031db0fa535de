// SPDX-License-Identifier: MIT

import Synchronization

/// Takes a line of the workload's output.
public typealias Say = @Sendable (String) -> Void

/// Values as one line of what the workload says.
func line(_ values: Any?...) -> String {
  values.map { $0.map { "\($0)" } ?? "nil" }.joined(separator: " ")
}

/// How many objects of each class are alive.
private let liveCounts = Mutex<[String: Int]>([:])

/// Counts the object, or the struct, that it is stored in.
final class Live {
  let owner: String

  init(_ owner: String) {
    self.owner = owner
    liveCounts.withLock { $0[owner, default: 0] += 1 }
  }

  deinit {
    liveCounts.withLock { $0[owner, default: 0] -= 1 }
  }
}

/// The fixture's objects that are alive, by class; empty if there are none.
public func liveSweepObjects() -> [String: Int] {
  liveCounts.withLock { $0.filter { $0.value != 0 } }
}

/// The names of types, which thereby are kept in optimized programs.
func names(_ types: [any Any.Type]) -> [String] { types.map { "\($0)" } }

/// A value with its dynamic type.
func described(_ value: Any) -> String { "\(type(of: value)) \(value)" }
