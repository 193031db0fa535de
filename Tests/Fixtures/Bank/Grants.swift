// SPDX-License-Identifier: MIT

/// An option set with a member that takes other functions to make.
public struct Grant: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let late: Grant = {
    GrantOffice.latch.wait()
    return Grant(rawValue: GrantOffice().lateBits())
  }()
}

/// Lets a thread go that makes `Grant.late`.
public final class GrantOffice {
  public static let latch = Latch()

  public init() {}
  public func lateBits() -> Int { 4 }
  public func letGo() { Self.latch.open() }
  public func bits(_ grant: Grant) -> Int { grant.rawValue }
  public func run() -> Int { 0 }
}
