// SPDX-License-Identifier: MIT

import Synchronization

/// What patches make classes over. Their objects outlive calls, and patches.
open class TortureLamp: @unchecked Sendable {
  private static let count = Atomic<Int>(0)
  public static var alive: Int { count.load(ordering: .relaxed) }

  public let trace: Int

  public init(trace: Int) {
    self.trace = trace
    Self.count.add(1, ordering: .relaxed)
  }

  deinit { Self.count.subtract(1, ordering: .relaxed) }

  /// Of a patch's object: the generation that made it, a colon, the one whose code this is, a point.
  open func shine() -> String { "" }
}

/// Patches' lamps conform to it, and one class of the program that has nothing to do with them:
/// its witness table tells the requirements' names.
public protocol TortureGlow: AnyObject {
  /// As `shine`.
  func glow() -> String
  var isWarm: Bool { get }
}

extension TortureGlow {
  public var isWarm: Bool { glow() != "" }
}

final class TortureEmber: TortureGlow {
  func glow() -> String { "" }
}
