// SPDX-License-Identifier: MIT

import Foundation

public struct Vectors: Equatable {
  public var small: SIMD2<Float>
  public var wide: SIMD4<Double>

  public init(small: SIMD2<Float>, wide: SIMD4<Double>) {
    self.small = small
    self.wide = wide
  }
}

/// Functions over the standard library's and Foundation's value types.
public final class ScalarValues {
  public init() {}

  public func data(_ value: Data) -> Data { value }
  public func optionalData(_ value: Data?) -> Data? { value }
  public func date(_ value: Date) -> Date { value }
  public func url(_ value: URL) -> URL { value }
  public func uuid(_ value: UUID) -> UUID { value }
  public func decimal(_ value: Decimal) -> Decimal { value }
  public func dates(_ value: [UUID: Date]) -> [UUID: Date] { value }
  public func blobs(_ value: [Data: Int]) -> [Data: Int] { value }

  public func range(_ value: Range<Int>) -> Range<Int> { value }
  public func closedRange(_ value: ClosedRange<Double>) -> ClosedRange<Double> { value }
  public func dateRange(_ value: Range<Date>) -> Range<Date> { value }
  public func slice(_ value: ArraySlice<String>) -> ArraySlice<String> { value }
  public func contiguous(_ value: ContiguousArray<Int?>) -> ContiguousArray<Int?> { value }
  public func byteSlice(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> { value }

  public func int128(_ value: Int128) -> Int128 { value }
  public func uint128(_ value: UInt128) -> UInt128 { value }
  public func half(_ value: Float16) -> Float16 { value }
  public func halves(_ a: Float16, _ b: Float, _ c: Float16?) -> Float16? { c ?? a }
  public func scalar(_ value: Unicode.Scalar) -> Unicode.Scalar { value }
  public func staticString(_ value: StaticString) -> StaticString { value }
  public func duration(_ value: Duration) -> Duration { value }
  public func identifier(_ value: ObjectIdentifier) -> ObjectIdentifier { value }
  public func unmanaged(_ value: Unmanaged<Account>) -> Unmanaged<Account> { value }

  public func float2(_ value: SIMD2<Float>) -> SIMD2<Float> { value }
  public func float4(_ value: SIMD4<Float>) -> SIMD4<Float> { value }
  public func double3(_ value: SIMD3<Double>) -> SIMD3<Double> { value }
  public func bytes4(_ value: SIMD4<UInt8>) -> SIMD4<UInt8> { value }
  public func longs8(_ value: SIMD8<Int64>) -> SIMD8<Int64> { value }
  public func vectors(_ value: Vectors) -> Vectors { value }

  public func raw(_ value: UnsafeRawPointer) -> UnsafeRawPointer { value }
  public func optionalRaw(_ value: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { value }
  public func typed(_ value: UnsafePointer<Int>) -> UnsafePointer<Int> { value }
  public func mutable(_ value: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int> { value }
  public func opaque(_ value: OpaquePointer?) -> OpaquePointer? { value }
  public func buffer(_ value: UnsafeBufferPointer<Int>) -> UnsafeBufferPointer<Int> { value }
  public func rawBuffer(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer { value }

  public func hashable(_ value: AnyHashable) -> AnyHashable { value }
  public func mixed(_ value: [AnyHashable: Any]) -> [AnyHashable: Any] { value }
  public func unsigned(_ value: [UInt64: String]) -> [UInt64: String] { value }
  public func reals(_ value: [Double: Int]) -> [Double: Int] { value }
  public func flags(_ value: [Bool: Int]) -> [Bool: Int] { value }
  public func never(_ value: [Never]) -> [Never] { value }
  public func anything(_ value: Any) -> Any { value }
  public func extended(_ value: Float80) -> Float80 { value }
}
