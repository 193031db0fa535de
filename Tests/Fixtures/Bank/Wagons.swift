// SPDX-License-Identifier: MIT

/// Classes of which some do not inherit the initializers of others.
open class Wagon {
  public let wheels: Int
  public init() { wheels = 4 }
  public convenience init(axles: Int) {
    self.init()
    _ = axles
  }
  open func summary() -> String { "\(wheels) wheels" }
}

/// Has neither `init()` nor `init(axles:)`, which calls it.
open class Coach: Wagon {
  public var seats: [Int]
  public init(seats: Int) {
    self.seats = Array(repeating: 1, count: seats)
    super.init()
  }
  open override func summary() -> String { "\(super.summary()), \(seats.count) seats" }
}

/// Has none of them, and no `init(seats:)`.
open class Sleeper: Coach {
  public let beds: Int
  public init(beds: Int) {
    self.beds = beds
    super.init(seats: beds * 2)
  }
  open override func summary() -> String { "\(super.summary()), \(beds) beds" }
}

/// Inherits both.
open class Cart: Wagon {
  public var load = "hay"
  open override func summary() -> String { "\(super.summary()), \(load)" }
}

/// Nobody outside makes one.
open class Landau: Wagon {
  let crest: String
  private init(crest: String) { self.crest = crest }
  public static func make() -> Landau { Landau(crest: "lion") }
  open override func summary() -> String { "\(super.summary()), \(crest)" }
}

/// Calls what is overridden.
public final class WagonYard {
  public init() {}
  public func run() -> String { "" }
  public func show(_ wagon: Wagon) -> String { wagon.summary() }
}
