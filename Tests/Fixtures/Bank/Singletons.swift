// SPDX-License-Identifier: MIT

// Enums of one case, which travel as their payload does.

public enum Weight: Equatable {
  case grams(Double)
}

/// With padding in the middle.
public enum Invoice: Equatable {
  case items([Int], sum: UInt128)
}

public indirect enum Knot: Equatable {
  case tied(Int)
}

public enum Parcel<Content: Equatable>: Equatable {
  case holding(Content)
}

public final class Scale {
  public init() {}

  public func weigh(_ weight: Weight, _ count: Int) -> Weight {
    guard case .grams(let grams) = weight else { return weight }
    return .grams(grams * Double(count))
  }

  public func add(_ invoice: Invoice, _ prices: [String: Int], _ count: Int) -> Invoice {
    guard case .items(let items, let sum) = invoice else { return invoice }
    return .items(items + prices.values.sorted(), sum: sum + UInt128(count))
  }

  public func tie(_ knot: Knot, _ parcel: Parcel<Float>, _ second: Float) -> Knot {
    guard case .tied(let count) = knot, case .holding(let first) = parcel else { return knot }
    return .tied(count + Int(first * 100 + second))
  }
}
