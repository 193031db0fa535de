// SPDX-License-Identifier: MIT

/// Tells from machine code which functions end the program whenever they are called.
///
/// A class that declares a designated initializer does not inherit those of its superclass. Their places
/// in its vtable are not left empty: the compiler puts functions there that do nothing but report, and
/// have the same symbols as initializers. `createDesignatedInitOverride` and
/// `emitUnimplementedInitializer` in the compiler's lib/Sema and lib/SILGen, Swift 6.3.
package enum StubReader {
  /// The target of a call or jump.
  package enum Callee {
    /// Code in the same image.
    case code(UInt)
    /// The code to which the word at this address points. `jump` is the image's code that jumps
    /// there, if it was reached that way: then the word may not have been bound yet.
    case content(of: UInt, jump: UInt?)
  }

  /// The end of a function's code.
  package enum StubEnd {
    /// The code comes to a function that reports an error.
    case report
    /// No path through the code returns.
    case trap
    /// The code returns, or goes on elsewhere, or is not understood.
    case other
  }

  /// What becomes of a call of the code.
  ///
  /// Follows the code's own jumps, calls that do not return, and the call of what functions have in
  /// common that the optimiser has merged.
  ///
  /// - Parameters:
  ///   - address: where the function's code is in this process's memory.
  ///   - range: what may be read.
  ///   - outcome: whether something that is called is a function that reports, or one that never returns.
  package static func ending(
    ofCodeAt address: UInt, within range: Range<UInt>, outcome: (Callee) -> StubEnd
  ) -> StubEnd {
    #if arch(x86_64)
      return withoutActuallyEscaping(outcome) { outcome in
        var walk = X86_64StubWalk(range: range, outcome: outcome)
        return walk.run(from: address)
      }
    #else
      return .other
    #endif
  }

  /// The first function that the code calls; nil if it calls none before it jumps.
  package static func firstCallee(ofCodeAt address: UInt) -> UInt? {
    #if arch(x86_64)
      guard let start = UnsafeRawPointer(bitPattern: address) else { return nil }
      var decoder = X86_64Decoder(start, byteLimit: 32)
      while let instruction = decoder.next() {
        switch instruction.operation {
        case .call, .jump:
          guard case .immediate(let target) = instruction.source else { return nil }
          return UInt(bitPattern: target)
        case .jumpIfZero, .jumpIfNotZero, .conditionalJump: return nil
        default: break
        }
      }
    #endif
    return nil
  }
}
