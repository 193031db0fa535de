// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Calls library functions at random, in a state with the engine's versions of them and in one with
/// Lua's own, and compares what comes of it: results and error messages.
public struct LibraryFuzz {
  /// A call that does not come to the same.
  public struct Difference: Error, CustomStringConvertible {
    public let seed: Int
    public let ours: String
    public let theirs: String
    public var description: String {
      "seed \(seed):\n  \(ours)\nand Lua's own:\n  \(theirs)"
    }
  }

  private let ours: LibraryState
  private let theirs: LibraryState

  public init() throws {
    ours = try LibraryState(WAX_LIBRARY_LIBRARIES_SAFE)
    theirs = try LibraryState(WAX_LIBRARY_LIBRARIES_FULL)
  }

  /// Makes so many calls, which depend on the seed.
  /// - Throws: ``Difference``.
  public func run(seed: Int, calls: Int) throws {
    let (left, right) = try (ours.outcomes(seed, calls), theirs.outcomes(seed, calls))
    guard left != right else { return }
    let pair = zip(left, right).first { $0 != $1 }
    throw Difference(seed: seed, ours: pair?.0 ?? "fewer", theirs: pair?.1 ?? "fewer")
  }
}
