// SPDX-License-Identifier: MIT

import Waxwing

/// What a measurement is compared with: another one, which does the same work without the engine.
struct Floor: ExpressibleByStringLiteral {
  enum Kind: String, Encodable {
    case fair
    /// It does more than it would have to.
    case generous
    /// It does the least that it can, and may do less than the row compared with it has to.
    case strict
  }

  /// The other measurement's name.
  let name: String
  let kind: Kind

  init(_ name: String, _ kind: Kind = .fair) {
    self.name = name
    self.kind = kind
  }

  init(stringLiteral name: String) { self.init(name) }
}

/// One thing that is measured: what it is called, and how to do it many times.
struct Measurement {
  let name: String
  /// The measurements that ratios are taken to; none for those that others are compared with.
  let floors: [Floor]
  /// The patches that are live meanwhile, oldest first.
  let patches: [String]
  /// What the patches are held to.
  var limits = Policy.Limits.none
  /// Of how many calls instructions are counted: fewer of dear ones.
  var counted = 2000
  let run: (_ count: Int) -> Void

  init(
    _ name: String, comparedTo floors: Floor..., patch: String? = nil,
    run: @escaping (_ count: Int) -> Void
  ) {
    self.init(name, comparedTo: floors, patches: patch.map { [$0] } ?? [], run: run)
  }

  init(
    _ name: String, comparedTo floors: [Floor], patches: [String],
    run: @escaping (_ count: Int) -> Void
  ) {
    self.name = name
    self.floors = floors
    self.patches = patches
    self.run = run
  }

  /// A hundredth of all calls is made.
  nonisolated(unsafe) static var isBrief = false

  /// So many calls, or a few of them.
  static func scaled(_ count: Int) -> Int { isBrief ? count / 100 : count }

  /// Nanoseconds for one of `count`.
  func time(_ count: Int) -> Double {
    let clock = ContinuousClock()
    return clock.measure { run(count) }.nanoseconds / Double(count)
  }

  /// How many of it last about `duration`.
  func count(lasting duration: Duration) -> Int {
    if Self.isBrief { return 10 }
    var count = 1000
    _ = time(count)  // plans are made at the first call
    while true {
      let nanoseconds = time(count) * Double(count)
      if nanoseconds * 4 > duration.nanoseconds {
        return max(1, Int(Double(count) * duration.nanoseconds / nanoseconds))
      }
      count *= 4
    }
  }
}

extension [Measurement] {
  /// Those whose names end like that, and what they are compared with.
  func matching(_ suffix: String) -> [Measurement] {
    var names = Set(map(\.name).filter { $0.hasSuffix(suffix) })
    // What floors are compared with stands before them.
    for measurement in reversed() where names.contains(measurement.name) {
      names.formUnion(measurement.floors.map(\.name))
    }
    return filter { names.contains($0.name) }
  }
}

extension Duration {
  var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}

extension [Double] {
  /// - Precondition: There is at least one.
  var least: Double { reduce(self[0], Swift.min) }

  /// - Precondition: There is at least one.
  var greatest: Double { reduce(self[0], Swift.max) }

  /// - Precondition: There is at least one.
  var median: Double {
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The lower and the upper one.
  /// - Precondition: There is at least one.
  var quartiles: [Double] {
    let sorted = sorted()
    let outer = (sorted.count - 1) / 4
    return [sorted[outer], sorted[sorted.count - 1 - outer]]
  }
}
