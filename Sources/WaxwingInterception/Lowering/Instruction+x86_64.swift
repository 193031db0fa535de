// SPDX-License-Identifier: MIT

/// What an instruction moves, for those that compilers put before a function's first calls.
struct X86_64Instruction: Equatable {
  enum Operation: Equatable {
    /// Moves `size` bytes, extended or not.
    case move
    case loadAddress
    case add, subtract
    /// The destination becomes something that depends on it and on the source.
    case combine
    /// The destination becomes zero, whatever it was.
    case clear
    /// Reads both operands and changes neither.
    case compare
    /// Pushes the source.
    case push
    /// Pops into the destination.
    case pop
    /// Calls the source: an immediate if it is known, a register's content, or an address that is
    /// in memory.
    case call
    case jump
    /// The source says where to. Depends on whether what was computed or compared last is zero.
    case jumpIfZero, jumpIfNotZero
    case conditionalJump
    case nothing
  }

  enum Operand: Equatable {
    /// An integer register by the number that instructions use: rax, rcx, rdx, rbx, rsp, rbp, rsi,
    /// rdi, r8-15.
    case integer(Int)
    case vector(Int)
    case memory(base: Int?, index: Int?, displacement: Int)
    /// Memory at a known address.
    case global(UInt)
    case immediate(Int)
    case none
  }

  var operation: Operation
  var destination = Operand.none
  var source = Operand.none
  var size = 8
}
