// SPDX-License-Identifier: MIT

/// The program's own code; it knows nothing of Waxwing.
public struct Greeter {
  public init() {}

  public func greeting(for name: String) -> String {
    "Hello, \(name)."
  }
}
