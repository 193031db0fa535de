// SPDX-License-Identifier: MIT

import ClobberProbe
import InterceptionFixture
import Testing
import WaxwingInterception

/// A closure as an override.
final class Override: @unchecked Sendable {
  private let body: @Sendable (Override, FramePointer) -> Bool
  // Written once, right after installation, before the switch lets a call in.
  nonisolated(unsafe) private(set) var layer: Unmanaged<InstalledOverride>?

  init(_ body: @escaping @Sendable (Override, FramePointer) -> Bool) {
    self.body = body
  }

  func callNext(_ frame: FramePointer) {
    layer?._withUnsafeGuaranteedRef { $0.reference.callNext(frame) }
  }

  @discardableResult
  func install(
    at point: InterceptionPoint, _ session: SessionSwitch, _ interceptor: Interceptor,
    rank: UInt64 = 0
  ) throws -> InstalledOverride {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let installed = try interceptor.install(
      at: point, session: session, rank: LayerRank(order: rank), context: context, owner: self
    ) { context, frame in
      guard let context, let frame else { return false }
      return Unmanaged<Override>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.body($0, frame)
      }
    }
    layer = Unmanaged.passUnretained(installed)
    return installed
  }
}

/// The patch point of the fixture's function whose demangled name contains `part`.
func patchPoint(_ part: String, stackBytes: Int = 0) throws -> InterceptionPoint {
  var entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  var function: UnsafeMutableRawPointer?
  try #require(probe_patch_point("InterceptionFixture.\(part)(", &entry, &function))
  return InterceptionPoint(
    entry: try #require(entry), function: try #require(function), stackBytes: stackBytes)
}

func isAtBaseline(_ point: InterceptionPoint) -> Bool {
  UnsafeRawPointer(point.entry.pointee) == point.function
}

extension Frame {
  func argument(_ index: Int) -> Int {
    let words = integerArguments
    return Int(truncatingIfNeeded: [words.0, words.1, words.2, words.3, words.4, words.5][index])
  }

  var firstResult: Int {
    get { Int(truncatingIfNeeded: integerResults.0) }
    set { integerResults.0 = UInt64(truncatingIfNeeded: newValue) }
  }
}
