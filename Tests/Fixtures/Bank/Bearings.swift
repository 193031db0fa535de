// SPDX-License-Identifier: MIT

/// An option set with a member of several bits, and one that is computed.
public struct Access: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let readable = Access(rawValue: 1)
  public static let writable = Access(rawValue: 2)
  public static let hidden = Access(rawValue: 0x80)
  public static let open: Access = [.readable, .writable]
  public static var most: Access { [.open, .hidden] }
  /// No member of it.
  public static let count = 3
}

/// Option sets, SIMD values and dictionaries in each place where values stand.
public final class Bearings {
  public var access: Access = .readable
  public var place: SIMD2<Float> = [1, 2]
  public var counts: SIMD4<Int32> = [1, 2, 3, 4]
  public var bytes: SIMD8<UInt8> = [1, 2, 3, 4, 5, 6, 7, 8]
  public var wide = SIMD64<Int8>(repeating: 1)
  public var mask: SIMDMask<SIMD2<Int32>> = [true, false]

  public init() {}

  public func run() -> String { "baseline" }
  public func bits(_ access: Access) -> Int { Int(access.rawValue) }
  public func bits(of accesses: [Access]) -> [Int] { accesses.map { Int($0.rawValue) } }
  public func bits(in accesses: [String: Access?]) -> Int {
    accesses.values.reduce(0) { $0 + Int($1?.rawValue ?? 100) }
  }
  public func granted() -> Access { access }
  public func moved(_ place: SIMD2<Float>) -> SIMD2<Float> { place }
  public func moved(all places: [SIMD2<Float>]) -> [SIMD2<Float>] { places }
  public func third(_ place: SIMD3<Double>?) -> Double { place?.z ?? -1 }
  public func tallies() -> [String: Int] { ["a": 1, "b": 2] }
  public func sparse() -> [Int: String] { [10: "x", 20: "y", 1: "z"] }
  public func none() -> [String: Int] { [:] }
  public func anything() -> Any { ["a": 1, "b": ["c": 2, "d": 3]] as [String: Any] }
  public func sum(_ tallies: [String: Int]) -> Int { tallies.values.reduce(0, +) }
}
