// SPDX-License-Identifier: MIT

public import CWaxwingRuntime

/// The registers of one call, as a stub saves them and `Invocation.call` loads them, and where its
/// stack arguments are. A copy is a frame as good as the first.
@usableFromInline package typealias Frame = wax_runtime_frame
@usableFromInline package typealias FramePointer = UnsafeMutablePointer<wax_runtime_frame>

// The fields, under names that all targets may use: those of the C struct are seen in this target only.
extension Frame {
  /// A frame of zeros.
  /// - Parameter stackArguments: Memory for the stack arguments of a call that is to be made; it
  ///   outlives the frame.
  @inlinable
  package init(stackArguments: UnsafeMutableRawPointer?) {
    self.init()
    stack = stackArguments?.assumingMemoryBound(to: UInt64.self)
  }

  /// The self register: the object or value that the function is called on, or the context of a closure.
  @inlinable package var selfRegister: UInt64 {
    get { self_register }
    set { self_register = newValue }
  }

  /// The error that the function has thrown, owned by the reader; 0 for none. It is loaded as it
  /// is: a function that throws is called with 0.
  @inlinable package var thrownError: UInt64 {
    get { error }
    set { error = newValue }
  }

  /// The address at which the function is to leave a result that is not in registers.
  @inlinable package var indirectResult: UInt64 {
    get { indirect_result }
    set { indirect_result = newValue }
  }

  /// The context of an async function; see `AsyncContext` in Swift's `ABI/Task.h`.
  @inlinable var asyncContext: UInt64 { async_context }

  /// The stack arguments of the call; nil if the frame is of no call.
  @inlinable package var stackArguments: UnsafeMutablePointer<UInt64>? {
    get { stack }
    set { stack = newValue }
  }

  @inlinable package var integerArguments: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) {
    get { integer }
    set { integer = newValue }
  }

  @inlinable package var integerResults: (UInt64, UInt64, UInt64, UInt64) {
    get { integer_result }
    set { integer_result = newValue }
  }

  /// The first argument that is a floating-point number.
  package var firstDoubleArgument: Double {
    get { Double(bitPattern: vector.0.low) }
    set { vector.0.low = newValue.bitPattern }
  }

  /// The first result that is a floating-point number.
  package var firstDoubleResult: Double { Double(bitPattern: vector_result.0.low) }
}

// MARK: - Places

extension Frame {
  /// The offset of the self register in bytes from the start of a frame.
  package static let selfRegisterOffset = Int(WAX_RUNTIME_FRAME_SELF_REGISTER)

  /// Where a piece of a value is, in bytes from the start of the frame, or of the stack arguments if
  /// that is its bank.
  package static func offset(of piece: LoweredPiece, isResult: Bool) -> Int {
    switch piece.bank {
    case .integer:
      Int(isResult ? WAX_RUNTIME_FRAME_INTEGER_RESULT : WAX_RUNTIME_FRAME_INTEGER) + 8 * piece.index
    case .vector:
      Int(isResult ? WAX_RUNTIME_FRAME_VECTOR_RESULT : WAX_RUNTIME_FRAME_VECTOR) + 16 * piece.index
    case .stack: 8 * piece.index
    case .selfRegister: selfRegisterOffset
    }
  }
}

// MARK: - Registers as a whole

extension Frame {
  /// The registers after a call.
  package struct Outcome {
    fileprivate let error: UInt64
    fileprivate let integers: (UInt64, UInt64, UInt64, UInt64)
    fileprivate let vectors:
      (wax_runtime_vector, wax_runtime_vector, wax_runtime_vector, wax_runtime_vector)
  }

  package var outcome: Outcome {
    get { Outcome(error: error, integers: integer_result, vectors: vector_result) }
    set {
      (error, integer_result, vector_result) = (newValue.error, newValue.integers, newValue.vectors)
    }
  }
}

extension FramePointer {
  /// Tells a function that is not async that its caller can do without its results. Called before
  /// the call.
  package func allowCancel() { wax_runtime_allow_cancel(self) }

  /// Whether the call was cancelled: it has neither results nor an error, and the values that the
  /// function takes over are gone.
  package var wasCancelled: Bool { wax_runtime_was_cancelled(self) }

  /// Whether a handler may cancel the call, because its own caller has allowed it.
  package var mayCancel: Bool { wax_runtime_may_cancel(self) }

  /// Ends the call like that once the handler returns, which has released what the function takes over.
  package func cancel() { wax_runtime_cancel(self) }

  /// Takes over the registers and the stack arguments of another call, to make the same call again.
  /// - Parameter stackBytes: The size of the stack arguments, for which both frames have memory.
  package func takeRegisters(of other: FramePointer, stackBytes: Int) {
    let stack = pointee.stack
    pointee = other.pointee
    pointee.stack = stack
    pointee.async_context = 0
    pointee.entry_error = 0
    pointee.error = 0
    if let stack, let source = other.pointee.stack, stackBytes > 0 {
      UnsafeMutableRawPointer(stack).copyMemory(from: source, byteCount: stackBytes)
    }
  }
}
