// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingInterception
internal import WaxwingValues

/// A value of which only its registers are known: its type is not in the process, or Lua cannot
/// hold it. It lives as long as the call that it belongs to, and can only be passed on and
/// returned.
///
/// Copies are nothing but the bytes: what the value refers to is its call's.
package struct OpaqueValue: CustomStringConvertible, StandInValue {
  /// The part of a call that the value is.
  enum Part: Equatable {
    case argument(Int)
    case receiver
    case result
    /// The memory that an initializer is called on before it holds a value.
    case uninitialized
  }

  /// The serial number of the active call that has it.
  var call: UInt64
  var part: Part
  /// The name of the value's type, interned in `OpaqueTypeNames`.
  var typeName: Int
  var words = Words()

  /// Four registers for integers, and four of 16 bytes.
  struct Words {
    var integers: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var vectors: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
      0, 0, 0, 0, 0, 0, 0, 0
    )

    init() {}
  }

  package var description: String { "\(shownType) (opaque)" }

  package static var shownName: String { "opaque" }

  package var shownValue: String { "an opaque \(shownType)" }

  /// Why Lua code cannot do something with the value: it has no member `…`, no operator `…`.
  package func lacks(_ what: String) -> String {
    let use =
      part == .result
      ? "it can only be returned"
      : "it can only be passed to the original that it came for, `original(self, …)` or `self:ORIGname(…)`"
    return "\(shownType) is opaque here and has no \(what): \(use)"
  }

  /// The name of its type.
  var shownType: String { OpaqueTypeNames.name(typeName) }
}

extension OpaqueValue {
  private static let integerOffset = 0
  private static let vectorOffset = 32

  /// How many registers of each bank a value takes.
  struct Registers: Hashable {
    var integers: Int
    var vectors: Int

    /// All assignments that fit a convention which passes no more than four registers' worth by
    /// value. A value that is passed by address counts as one integer.
    static let all: [Registers] = (0...4).flatMap { integers in
      (0...(4 - integers)).map { Registers(integers: integers, vectors: $0) }
    }

    /// The shape for a `CallLayout`, with the registers where `Words` has them.
    var shape: TypeShape {
      TypeShape(
        size: MemoryLayout<Words>.size, alignment: 16,
        leaves: (0..<integers).map {
          .init(offset: OpaqueValue.integerOffset + 8 * $0, size: 8, kind: .integer)
        }
          + (0..<vectors).map {
            .init(
              offset: OpaqueValue.vectorOffset + 16 * $0, size: 16,
              kind: .vector(element: .floatingPoint, laneSize: 8))
          })
    }
  }

  /// All registers in which a result may be.
  static let resultPieces: [LoweredPiece] =
    (0..<4).map {
      LoweredPiece(bank: .integer, index: $0, byteOffset: integerOffset + 8 * $0, byteCount: 8)
    }
    + (0..<4).map {
      LoweredPiece(bank: .vector, index: $0, byteOffset: vectorOffset + 16 * $0, byteCount: 16)
    }
}

/// The names of types that opaque values have, kept for good: there are no more than the program has
/// types.
enum OpaqueTypeNames {
  private static let names = Mutex<(known: [String: Int], all: [String])>(([:], []))

  static func number(of name: String) -> Int {
    names.withLock { names in
      if let known = names.known[name] { return known }
      names.all.append(name)
      names.known[name] = names.all.count - 1
      return names.all.count - 1
    }
  }

  static func name(_ number: Int) -> String {
    names.withLock { $0.all.indices.contains(number) ? $0.all[number] : "a value" }
  }
}
