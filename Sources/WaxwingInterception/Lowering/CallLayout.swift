// SPDX-License-Identifier: MIT

/// Where the arguments and results of one function travel.
package struct CallLayout: Hashable, Sendable {
  /// What holds a part of a value.
  package enum Bank: Hashable, Sendable {
    /// `frame.integer[index]`, or `frame.integer_result[index]`.
    case integer
    /// `frame.vector[index]`, or `frame.vector_result[index]`.
    case vector
    /// `frame.stack[index]`.
    case stack
    /// The register for `self`: `frame.self`.
    case context
  }

  /// A part of a value in its register or stack slot.
  package struct Piece: Hashable, Sendable {
    package let bank: Bank
    package let index: Int
    /// Bytes from the start of the value.
    package let offset: Int
    /// Bytes; the others of the register are not defined.
    package let size: Int
  }

  /// How one value is passed.
  package enum Passing: Hashable, Sendable {
    /// In these pieces; none for a type without bytes.
    case direct([Piece])
    /// By its address, which is the piece.
    case indirect(Piece)
  }

  /// How `self` is passed.
  package enum SelfPassing: Hashable, Sendable {
    /// There is none.
    case none
    /// As a pointer in its own register: an object, a metatype, or the address of a value.
    case context
    /// Like a last argument: a value whose type is small enough.
    case value(TypeShape)
  }

  /// How a parameter is given to the function, apart from its type.
  package struct Parameter: Hashable, Sendable {
    package let shape: TypeShape
    /// `inout`, or generic: always by address.
    package let isByAddress: Bool

    package init(_ shape: TypeShape, isByAddress: Bool = false) {
      self.shape = shape
      self.isByAddress = isByAddress
    }
  }

  package let parameters: [Passing]
  /// Where `self` is; nil without one.
  package let receiver: Passing?
  /// `.indirect` results are written to the address in `frame.indirect_result`.
  package let result: Passing
  /// Bytes of arguments on the stack, a multiple of 8.
  package let stackBytes: Int

  /// Lays out a call for the CPU that this code is compiled for.
  package init(parameters: [Parameter], receiver: SelfPassing, result: TypeShape) {
    var assignment = RegisterAssignment()
    self.parameters = parameters.map { assignment.pass($0.shape, byAddress: $0.isByAddress) }
    switch receiver {
    case .none: self.receiver = nil
    case .context: self.receiver = .direct([.selfRegister])
    case .value(let shape):
      self.receiver =
        AggregateLowering.components(of: shape) == nil
        ? .indirect(.selfRegister) : assignment.pass(shape, byAddress: false)
    }
    self.result = RegisterAssignment.result(result)
    stackBytes = assignment.stackSlots * 8
  }
}

extension CallLayout.Piece {
  /// The pointer in the register for `self`.
  package static let selfRegister = CallLayout.Piece(bank: .context, index: 0, offset: 0, size: 8)
}
