// SPDX-License-Identifier: MIT

/// Tells from machine code which functions of a class treat objects of exactly that class in another way than those
/// of its subclasses: they compare the class of `self` with the class that they belong to.
package enum ClassTestReader {
  /// A class, as the functions that are its members name it, and the functions that they call.
  package struct Owner {
    let metadata: UInt
    let isFatal: (UInt) -> Bool
    let handsBack: (UInt) -> Bool

    /// - Parameters:
    ///   - metadata: The address of the class.
    ///   - isFatal: Whether the code at an address ends the program.
    ///   - handsBack: Whether it calls the function again, for an object of a subclass.
    package init(
      metadata: UInt, isFatal: @escaping (UInt) -> Bool, handsBack: @escaping (UInt) -> Bool
    ) {
      self.metadata = metadata
      self.isFatal = isFatal
      self.handsBack = handsBack
    }
  }

  /// The findings in a function's code.
  package struct Findings: Equatable {
    /// The class of `self`, an object, is compared with the function's class.
    package var testsObject = false
    /// `self`, a class, is compared with it.
    package var testsType = false
    /// Whether there is a path on which the program ends, or a cast that has to succeed.
    package var mayEnd = false
    /// Whether the function calls itself, directly or through another function.
    package var callsItself = false
  }

  /// Reads all ways through the code at an address of this process.
  package static func findings(ofCodeAt address: UInt, in owner: Owner) -> Findings {
    #if arch(x86_64)
      var walk = X86_64ClassTestWalk(owner, start: address)
      return walk.run()
    #else
      return Findings()
    #endif
  }

  /// The functions that the code at an address calls, as far as it runs straight on.
  package static func callees(ofCodeAt address: UInt) -> Set<UInt> {
    var callees: Set<UInt> = []
    #if arch(x86_64)
      guard let start = UnsafeRawPointer(bitPattern: address) else { return [] }
      var decoder = X86_64Decoder(start, byteLimit: 8192)
      while let instruction = decoder.next(), instruction.operation != .jump {
        if instruction.operation == .call, case .immediate(let target) = instruction.source {
          callees.insert(UInt(bitPattern: target))
        }
      }
    #endif
    return callees
  }
}
