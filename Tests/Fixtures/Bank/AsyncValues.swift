// SPDX-License-Identifier: MIT

/// One async method for every kind of value: each returns what it is given, and does not wait.
public final class AsyncValues: Sendable {
  public init() {}

  /// Neither argument nor result.
  public func nothing() async {}
  public func int(_ value: Int) async -> Int { value }
  public func int8(_ value: Int8) async -> Int8 { value }
  public func int16(_ value: Int16) async -> Int16 { value }
  public func int32(_ value: Int32) async -> Int32 { value }
  public func uint8(_ value: UInt8) async -> UInt8 { value }
  public func uint32(_ value: UInt32) async -> UInt32 { value }
  public func uint64(_ value: UInt64) async -> UInt64 { value }
  public func bool(_ value: Bool) async -> Bool { value }
  public func float(_ value: Float) async -> Float { value }
  public func double(_ value: Double) async -> Double { value }
  public func string(_ value: String) async -> String { value }
  public func object(_ value: Account) async -> Account { value }
  public func parcel(_ value: AsyncParcel) async -> AsyncParcel { value }

  public func optionalInt(_ value: Int?) async -> Int? { value }
  public func optionalString(_ value: String?) async -> String? { value }
  public func optionalObject(_ value: Account?) async -> Account? { value }
  public func optionalPoint(_ value: Point?) async -> Point? { value }
  /// Five words and a tag: by address, both ways.
  public func optionalWide(_ value: WideRecord?) async -> WideRecord? { value }

  public func ints(_ value: [Int]) async -> [Int] { value }
  public func octets(_ value: [UInt8]) async -> [UInt8] { value }
  public func strings(_ value: [String]) async -> [String] { value }
  public func objects(_ value: [Account]) async -> [Account] { value }
  public func points(_ value: [Point]) async -> [Point] { value }
  public func counts(_ value: [String: Int]) async -> [String: Int] { value }
  public func marks(_ value: Set<Int>) async -> Set<Int> { value }

  /// Two words.
  public func point(_ value: Point) async -> Point { value }
  /// Four words: the most that comes back in registers.
  public func quad(_ value: AsyncQuad) async -> AsyncQuad { value }
  /// Integers and floating point in one struct.
  public func blend(_ value: AsyncBlend) async -> AsyncBlend { value }
  /// Five words: comes back by address, and goes in by address.
  public func wide(_ value: WideRecord) async -> WideRecord { value }
  /// Six words with a reference in them.
  public func large(_ value: Large) async -> Large { value }
  public func padded(_ value: Padded) async -> Padded { value }

  /// An enum without payloads.
  public func kind(_ value: Kind) async -> Kind { value }
  /// An enum in registers, some cases of which are boxed.
  public func payload(_ value: Payload) async -> Payload { value }
  /// An enum by address.
  public func choice(_ value: Choice) async -> Choice { value }

  public func pair(_ value: (Int, String)) async -> (Int, String) { value }
  public func labelled(_ value: (x: Double, name: String?)) async -> (x: Double, name: String?) {
    value
  }
  /// Five words in a tuple: by address.
  public func broad(_ value: (Int, Int, String, Double)) async -> (Int, Int, String, Double) {
    value
  }

  public func anything(_ value: Any) async -> Any { value }
  public func labelledValue(_ value: any Labelled) async -> any Labelled { value }
  public func classBound(_ value: any Named) async -> any Named { value }
  public func error(_ value: any Error) async -> any Error { value }
  public func type(_ value: Any.Type) async -> Any.Type { value }

  /// By address, whatever it is.
  public func generic<T>(_ value: T) async -> T { value }
  /// A generic value after one in a register, and both back.
  public func genericPair<T, U>(_ first: T, _ number: Int, _ second: U) async -> (U, Int, T) {
    (second, number, first)
  }
}
