// SPDX-License-Identifier: MIT

internal import WaxwingInterception

/// How the values of a function value's calls travel.
///
/// In general calling each parameter is the address of a value, a tuple being one value, not as many
/// as it has elements; a result is one value, written where the indirect result goes, and so is an
/// error of a declared type. `inout` and untyped `throws` are as ever.
package struct CallPattern: Hashable, Sendable {
  package let parameters: [Passing]
  package let result: Passing
  /// The error's, if the function is `throws(E)`.
  package let thrown: Passing?

  package init(_ parameters: [Passing], _ result: Passing, thrown: Passing?) {
    self.parameters = parameters
    self.result = result
    self.thrown = thrown
  }

  /// How functions of the type are called where they stand so.
  package init(_ abstraction: Abstraction, _ metadata: FunctionMetadata) {
    if case .function(let pattern) = abstraction {
      self = pattern
      return
    }
    let each = abstraction == .general ? Passing.address(.general) : .byType(.natural)
    self.init(
      metadata.parameters.map { _ in each }, each,
      thrown: metadata.thrown == nil ? nil : each)
  }

  func isAll(_ passing: Passing) -> Bool {
    parameters.allSatisfy { $0 == passing } && result == passing
      && (thrown == nil || thrown == passing)
  }
}

/// How one value travels in calls of a function value.
package indirect enum Passing: Hashable, Sendable {
  /// The value is passed as its type says: in registers if it fits, a tuple as its elements.
  case byType(Abstraction)
  /// The value is passed by its address, whatever its type.
  case address(Abstraction)
  /// A tuple, each element so.
  case elements([Passing])
  /// A metatype that is told though the type is known.
  case word

  /// The abstraction of function values in it.
  package var abstraction: Abstraction {
    switch self {
    case .byType(let abstraction), .address(let abstraction): abstraction
    case .elements(let elements): .of(elements.map(\.abstraction))
    case .word: .natural
    }
  }
}
