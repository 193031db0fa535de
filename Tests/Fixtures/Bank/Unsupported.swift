// SPDX-License-Identifier: MIT

/// What cannot be overridden yet, to be refused by name.
public final class Unsupported {
  public init() {}
  public func closure(_ body: (Int) -> Int) -> Int { body(1) }
  public func returnsTuple() -> (Int, Int) { (1, 2) }
  public func anything(_ value: Any) {}
  public func existential(_ value: any Labelled) {}
  public func changes(_ value: inout Int) { value += 1 }
  public func generic<T>(_ value: T) -> T { value }
  public func waits() async -> Int { 1 }
  public func typed() throws(BankError) {}
  public var stored = 1
}

/// Two threads that wait for one another.
public final class Meeting: Sendable {
  public init() {}
  public func outer(_ body: Int) -> Int { inner(body) + 1 }
  public func inner(_ body: Int) -> Int { body * 2 }
}
