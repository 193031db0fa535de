// SPDX-License-Identifier: MIT

// Closures as a server has them: async, kept in tables, called by their values only. Three modules have
// this file: compiled as programs usually are, with optimisation, and with implicit dynamic.

public struct Order: Equatable, Sendable {
  public var sku: Int
  public var note: String

  public init(sku: Int, note: String) {
    self.sku = sku
    self.note = note
  }
}

public struct Receipt: Equatable, Sendable {
  public var status: Int
  public var body: String
  public var lines: [Int]
}

public struct Missing: Error, Equatable {
  public var sku: Int

  public init(sku: Int) { self.sku = sku }
}

public actor Stock {
  private var asked = 0

  public init() {}

  func price(_ sku: Int) -> Int {
    asked += 1
    return sku * 10
  }
}

public struct Routes: Sendable {
  public typealias Route = @Sendable (Order, Int) async throws -> Receipt
  public typealias Sum = @Sendable (Int, Int) async throws -> Int
  public typealias Many =
    @Sendable (Int, Int, Int, Int, Int, Int, Int, Int, Int) async throws -> Int

  /// As a router keeps them.
  public var table: [Route] = []
  /// Waits, and has captured an actor and a number.
  public var waiting: Sum
  /// Captures nothing, and throws.
  public var plain: Sum
  /// Made in a generic function.
  public var generic: Sum
  /// Takes arguments on the stack.
  public var many: Many
}

private func adding<Base: BinaryInteger & Sendable>(_ base: Base) -> Routes.Sum {
  { one, other in
    await Task.yield()
    return Int(base) + one + other
  }
}

@inline(never)
public func makeRoutes(_ stock: Stock, base: Int, prefix: String) -> Routes {
  var routes = Routes(
    waiting: { one, other in await stock.price(one) + other + base },
    plain: { one, other in
      if one < 0 { throw Missing(sku: one) }
      return one + other
    },
    generic: adding(Int16(base)),
    many: { a, b, c, d, e, f, g, h, i in
      let (first, rest) = (a + b + c, d + e + f + g)
      return await stock.price(first) + rest + h * 1000 + i * 10000 + base
    })
  routes.table.append { order, count in
    Receipt(status: 200, body: "\(prefix) \(order.note)", lines: [order.sku, count])
  }
  routes.table.append { order, count in
    guard order.sku > 0 else { throw Missing(sku: order.sku) }
    let price = await stock.price(order.sku)
    return Receipt(status: 201, body: prefix + order.note, lines: [price, count, base])
  }
  // Captures nothing: the optimiser makes a copy of what its value is wrapped in, and calls it from there.
  routes.table.append { order, count in
    Receipt(status: 202, body: order.note, lines: [count])
  }
  return routes
}
