// SPDX-License-Identifier: MIT

import Glibc

/// What the random numbers of a test begin with. The environment variable `WAXWING_TEST_SEED` sets it
/// for every test. A test gives it as the comment of its expectations, so that a failure can be
/// repeated.
public struct TestSeed: Sendable, CustomStringConvertible {
  /// The name of the environment variable.
  public static let variable = "WAXWING_TEST_SEED"

  private static let chosen = getenv(variable).flatMap { UInt64(String(cString: $0)) }

  /// Another one in each run, and the same for all tests of a run. It is printed when it is first used:
  /// a crash has no comment.
  public static let drawn: TestSeed = {
    let seed = TestSeed(.random(in: 0..<1 << 32))
    print(seed)
    fflush(nil)
    return seed
  }()

  public let value: UInt64

  /// - Parameter usual: The seed unless the environment says another.
  public init(_ usual: UInt64) {
    value = Self.chosen ?? usual
  }

  /// Some seeds, or the one that the environment says.
  public static func each(_ usual: ClosedRange<UInt64>) -> [TestSeed] {
    chosen.map { [TestSeed($0)] } ?? usual.map(TestSeed.init)
  }

  /// A new one with each call, which begins with the seed.
  public var generator: SeededGenerator { SeededGenerator(seed: value) }

  /// Every so many of some elements, beginning with one that the seed says.
  public func sample<Element>(of elements: [Element], every step: Int) -> [Element] {
    stride(from: Int(value % UInt64(step)), to: elements.count, by: step).map { elements[$0] }
  }

  public var description: String { "seed \(value): \(Self.variable)=\(value) repeats it" }
}
