// SPDX-License-Identifier: MIT

// A type that another module extends.

public protocol Handler: AnyObject { func take(_ number: Int) }
public final class Noted: Handler {
  nonisolated(unsafe) public static var taken = 0
  public init() {}
  public func take(_ number: Int) { Noted.taken += number }
}
public final class Timer {
  public let handler: any Handler
  public init(_ handler: any Handler) { self.handler = handler }
}
