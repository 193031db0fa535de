// SPDX-License-Identifier: MIT

/// Reads from a dynamic function's machine code where its arguments come in.
///
/// A symbol does not say whether a struct's or enum's method is `mutating`, and a value that is
/// passed in registers travels differently if it is: by address in the self register. The code
/// tells, whatever the optimiser did: before a dynamic function may run its own body it asks
/// `swift_getFunctionReplacement` for another, which is owed every argument, also one that the own
/// body ignores. So each argument register is read before that call, and no other is.
package enum PrologueReader {}

/// The arguments that a function keeps when it is entered.
package struct SavedArguments: Hashable, Sendable {
  package struct Registers: Hashable, Sendable {
    /// Bit n: the n-th register of `LoweredPiece.Bank.integer`.
    package var integer: UInt8 = 0
    /// Bit n: the n-th register of `LoweredPiece.Bank.vector`.
    package var vector: UInt8 = 0

    package init(integer: UInt8 = 0, vector: UInt8 = 0) {
      self.integer = integer
      self.vector = vector
    }
  }

  package var registers = Registers()
  /// The 8-byte words of the caller's stack arguments that were read.
  package var stackWords: Set<Int> = []
  /// Whether the code was followed until it jumps to a replacement. The optimiser moves the load of
  /// a stack argument that only the replacement gets to a place after the question. If the code was
  /// not followed that far, such arguments may be missing in `stackWords`.
  package var isComplete = false
  /// Whether the function keeps the address at which it is to leave its result. This does not prove
  /// the layout: a function with a small result may keep the register's content by chance.
  package var hasResultAddress = false
  /// Whether the replacement gets the address at which it is to leave its result; nil: the code that calls it was
  /// not understood. Of `async` functions, which get it as an argument, it is not read.
  package var passesResultAddress: Bool?
  /// Whether the function only calls code that it shares with others: then it has copied all its
  /// stack arguments for that, and no other word is one.
  package var isForwarded = false

  init(registers: Registers = Registers(), stackWords: Set<Int> = []) {
    self.registers = registers
    self.stackWords = stackWords
  }

  /// All arguments of a function with this layout.
  package init(_ layout: CallLayout) {
    let hidden =
      [layout.resultAddress].compactMap(\.self) + layout.indirectResults + layout.callerActor
    // A typed error is in the result's registers, or the caller passes an address for it.
    let error = layout.thrown.flatMap { $0.isIndirect ? $0 : nil }
    let placements =
      hidden + layout.parameters + [layout.selfPlacement, error].compactMap(\.self)
    for piece in (placements + layout.trailingPointers).flatMap(\.pieces) {
      switch piece.bank {
      case .integer: registers.integer |= 1 << piece.index
      case .vector: registers.vector |= 1 << piece.index
      case .stack: stackWords.insert(piece.index)
      case .selfRegister: break
      }
    }
    isComplete = true
  }
}

extension SavedArguments {
  /// Whether a function with these arguments, those of a layout, could save what was read of its code.
  package func fits(_ saved: SavedArguments) -> Bool {
    guard registers == saved.registers else { return false }
    return saved.isComplete || saved.isForwarded
      ? stackWords == saved.stackWords : stackWords.isSuperset(of: saved.stackWords)
  }

  /// Whether a function with this layout gets an address for its result as the code that was read does.
  package func fitsResult(of layout: CallLayout) -> Bool {
    passesResultAddress.map { $0 == layout.result.isIndirect } ?? true
  }
}

extension PrologueReader {
  /// Whether the method takes the address of its receiver rather than the receiver's value.
  ///
  /// Nil if the code does not tell: where the two ways take the same registers (an empty receiver,
  /// one of more than four words, one that would be on the stack and was not seen to be read there by
  /// code that leaves the stack as it is)
  /// and where the code keeps neither the one set of registers nor the other.
  ///
  /// - Parameters:
  ///   - function: the code of a dynamic method that is not static.
  ///   - identity: as for `savedArguments(of:identity:byteLimit:)`.
  ///   - byValue: the function's layout if its receiver is passed by value.
  ///   - byAddress: the one if it takes the receiver's address.
  package static func isMutating(
    _ function: UnsafeRawPointer, identity: UnsafeRawPointer? = nil, byValue: CallLayout,
    byAddress: CallLayout
  ) -> Bool? {
    guard let saved = savedArguments(of: function, identity: identity) else { return nil }
    let byValue = SavedArguments(byValue)
    let byAddress = SavedArguments(byAddress)

    if byValue.registers != byAddress.registers {
      if saved.registers == byValue.registers { return false }
      return saved.registers == byAddress.registers ? true : nil
    }
    let ownWords = byValue.stackWords.subtracting(byAddress.stackWords)
    guard saved.registers == byValue.registers else { return nil }
    if !ownWords.isDisjoint(with: saved.stackWords) { return false }
    return saved.isForwarded && saved.stackWords == byAddress.stackWords ? true : nil
  }
}
