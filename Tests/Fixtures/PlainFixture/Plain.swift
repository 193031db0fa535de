// SPDX-License-Identifier: MIT

/// Compiled without implicit dynamic: what is small and internal is inlined, and nothing is left of
/// it in an optimised build.
public final class PlainCounter {
  private var count = 0

  public init() {}

  public func add(_ amount: Int) { count = bumped(amount) }

  private func bumped(_ amount: Int) -> Int { count + amount }
}

/// Another module has one too.
public struct NamesTwin { public init() {} }

/// Its methods are reached by its vtable alone.
open class PlainShelf {
  private var rows: [Int: String] = [:]
  nonisolated(unsafe) private static var count = 0
  open var label = "shelf"
  open var count = 1
  public init() {}
  open subscript(row: Int, _ other: String) -> String {
    get { rows[row] ?? other }
    set { rows[row] = newValue }
  }
  open class var shelves: Int {
    get { count }
    set { count = newValue }
  }
  open var shout: String {
    get { label + "!" }
    set { label = newValue }
  }
}
