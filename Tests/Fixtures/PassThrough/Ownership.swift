// SPDX-License-Identifier: MIT

// What is taken over, and what Lua cannot hold.

public struct Parcel {
  public let cell: Cell
  public let label: String
  public init(_ cell: Cell, _ label: String) {
    self.cell = cell
    self.label = label
  }

  public consuming func opened() -> Cell { cell }
  public consuming func swapped(with other: consuming Parcel) -> Parcel {
    other.label == label ? self : other
  }
  public func peeked() -> Int { cell.value }
}

public struct Ticket: ~Copyable {
  let cell: Cell
  public func number() -> Int { cell.value }
}

public func open(_ number: Int) -> Ticket { Ticket(cell: Cell(number)) }
public func inspect(_ ticket: borrowing Ticket) -> Int { ticket.cell.value }
public func close(_ ticket: consuming Ticket) -> Int { ticket.cell.value }

public func described<each Value>(_ value: repeat each Value) -> [String] {
  var all: [String] = []
  repeat all.append(String(describing: each value))
  return all
}

public enum Code: Int, Error { case one, two }

public struct Source {
  public let code: Code?
  public init(code: Code?) { self.code = code }

  public var typed: Int {
    get throws(Code) {
      if let code { throw code }
      return 1
    }
  }
}

public enum Tree {
  case leaf(Int)
  case list([Tree])

  var count: Int {
    switch self {
    case .leaf: 1
    case .list(let list): list.reduce(0) { $0 + $1.count }
    }
  }
}

public struct Crate<Value> {
  public var tree: Tree
  public var value: Value
  public init(tree: Tree, value: Value) {
    self.tree = tree
    self.value = value
  }
  public func count() -> Int { tree.count }
}

public func isThere(_ nothing: Void?) -> Bool { nothing != nil }

extension Optional where Wrapped == Int {
  public func orNought() -> Int { self ?? 0 }
}

/// What stands in registers, and on the stack, beside an opaque value.
public struct Turnstile {
  public var admitted = 0
  public var log: [String] = []
  public init() {}

  public mutating func admit(_ weight: Double, _ ticket: borrowing Ticket, _ note: String) -> Int {
    admitted += 1
    log.append("\(note) \(ticket.number()) \(weight)")
    return admitted
  }

  public mutating func refuse(_ ticket: borrowing Ticket) throws {
    log.append("refused \(ticket.number())")
    throw Refused(after: admitted)
  }

  public mutating func admitLater(_ ticket: borrowing Ticket, _ count: Int) async -> Int {
    admitted += count
    log.append("later \(ticket.number())")
    return admitted
  }

  public func sum(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ ticket: borrowing Ticket, _ g: Int
  ) -> [Int] {
    [a, b, c, d, e, f, ticket.number(), g, admitted]
  }
}

public enum Barrier {
  case open
  case shut(by: String)

  public mutating func pass(_ ticket: borrowing Ticket, _ word: String) {
    self = .shut(by: "\(word) \(ticket.number())")
  }
}
