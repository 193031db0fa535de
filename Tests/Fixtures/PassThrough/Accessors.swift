// SPDX-License-Identifier: MIT

import Synchronization

// Accessors of structs that change `self` where most do not, and the other way round.

public final class Cell {
  private static let count = Atomic<Int>(0)
  public static var alive: Int { count.load(ordering: .sequentiallyConsistent) }
  public var value: Int
  public init(_ value: Int) {
    self.value = value
    Cell.count.add(1, ordering: .sequentiallyConsistent)
  }
  deinit { Cell.count.subtract(1, ordering: .sequentiallyConsistent) }
}

/// In registers.
public struct Lazy {
  public var seed: Int
  public var reads = 0
  public lazy var squared: Int = seed * seed
  public init(seed: Int) { self.seed = seed }

  public var next: Int {
    mutating get {
      reads += 1
      return seed + reads
    }
  }

  public subscript(offset: Int) -> Int {
    mutating get {
      reads += 1
      return seed + offset * reads
    }
  }
}

/// One word, a reference.
public struct Handle {
  public let cell: Cell
  public init(_ cell: Cell) { self.cell = cell }

  public var value: Int {
    get { cell.value }
    nonmutating set { cell.value = newValue }
  }

  public subscript(scale: Int) -> Int {
    get { cell.value * scale }
    nonmutating set { cell.value = newValue / scale }
  }
}

/// Five words: by address.
public struct WideHandle {
  public let cell: Cell
  public var a = 1, b = 2, c = 3, d = 4
  public lazy var sum: Int = a + b + c + d
  public init(_ cell: Cell) { self.cell = cell }

  public var value: Int {
    get { cell.value + a }
    nonmutating set { cell.value = newValue - a }
  }
}
