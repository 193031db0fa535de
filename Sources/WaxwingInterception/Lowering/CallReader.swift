// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import CWaxwingRuntime

/// Tells from machine code what is done with an address.
package enum CallReader {
  /// What an instruction does with an address that is known to be in its last four bytes.
  package enum Reference: Equatable {
    /// It is no instruction with an address: the bytes are the same by chance.
    case none
    /// The address is an argument of the next call, in these integer registers: 0 for the first.
    case argument(callee: UInt, registers: Set<Int>)
    /// The address is what a function value has captured that is an argument of a call. This is the value's code, or its async
    /// function pointer.
    case captured(by: UInt)
    /// It cannot be told.
    case unknown
  }

  /// How many bytes of code are read after the address is loaded.
  private static let byteLimit = 512

  /// The use of an address.
  /// - Parameter place: The last four bytes of the instruction.
  package static func use(of address: UInt, at place: UInt) -> Reference {
    #if arch(x86_64)
      if !isReference(at: place) { return .none }
      guard let start = loadAddress(at: place),
        let identity = UnsafeRawPointer(bitPattern: address)
      else { return .unknown }
      var decoder = X86_64Decoder(start, byteLimit: byteLimit)
      var trace = X86_64Trace(within: identity)
      var calls = 0
      while let instruction = decoder.next() {
        switch instruction.operation {
        case .call, .jump:
          let registers = trace.registers(with: address)
          guard registers.isEmpty else { return argument(trace, instruction, registers) }
          if let wrapper = trace.wrapper(of: address) { return .captured(by: wrapper) }
          if instruction.operation == .jump || trace.isIdentityPassed { return .unknown }
          calls += 1
          trace.stepOverCall(.result(call: calls, word: 0), .unknown)
        default: trace.perform(instruction)
        }
      }
    #endif
    return .unknown
  }

  #if arch(x86_64)
    private static func argument(
      _ trace: X86_64Trace, _ call: X86_64Instruction, _ registers: Set<Int>
    ) -> Reference {
      guard let target = trace.target(call.source), let code = UnsafeRawPointer(bitPattern: target)
      else { return .unknown }
      return .argument(
        callee: UInt(bitPattern: wax_abi_code_target(code)), registers: registers)
    }
  #endif

  /// Whether the bytes before these four are the end of an opcode that has a distance behind it: of a jump, a call, or
  /// one with memory relative to itself.
  package static func isReference(at place: UInt) -> Bool {
    guard let bytes = UnsafeRawPointer(bitPattern: place &- 2) else { return false }
    let (before, last) = (bytes.load(as: UInt8.self), bytes.load(fromByteOffset: 1, as: UInt8.self))
    // Behind a prefix it is an opcode with a number behind it, such as that of `add $number, %rax`.
    return isBranch(at: place) || last & 0xc7 == 0x05 && before & 0xf0 != 0x40
  }

  /// Whether they are the end of the opcode of an instruction that can have the distance to code: of a jump, a call, or
  /// one that loads an address.
  package static func isCodeReference(at place: UInt) -> Bool {
    isBranch(at: place) || isLoad(at: place)
  }

  /// Whether they are the end of the opcode of one that loads an address.
  package static func isLoad(at place: UInt) -> Bool {
    guard let bytes = UnsafeRawPointer(bitPattern: place &- 2) else { return false }
    return bytes.load(as: UInt8.self) == 0x8d
      && bytes.load(fromByteOffset: 1, as: UInt8.self) & 0xc7 == 0x05
  }

  /// Whether they are the end of the opcode of a jump or a call.
  package static func isBranch(at place: UInt) -> Bool {
    guard let bytes = UnsafeRawPointer(bitPattern: place &- 2) else { return false }
    let (before, last) = (bytes.load(as: UInt8.self), bytes.load(fromByteOffset: 1, as: UInt8.self))
    let isConditional = before == 0x0f && last & 0xf0 == 0x80
    return last == 0xe8 || last == 0xe9 || isConditional
  }

  /// Whether they are the end of the opcode of a jump that is taken in any case.
  package static func isJump(at place: UInt) -> Bool {
    guard let byte = UnsafeRawPointer(bitPattern: place &- 1) else { return false }
    return byte.load(as: UInt8.self) == 0xe9
  }

  /// Whether the code of a function jumps to an address over so short a distance that no four bytes have it, or cannot be
  /// read.
  package static func jumpsShort(from code: Range<UInt>, to address: UInt) -> Bool {
    unsafe wax_runtime_code_jumps_short(
      UnsafeRawPointer(bitPattern: code.lowerBound), code.count,
      UnsafeRawPointer(bitPattern: address))
  }

  /// Where code leads that is only a jump or a call: what LLVM leaves of a function that is like another.
  package static func passedOn(at address: UInt) -> UInt? {
    guard let code = UnsafeRawPointer(bitPattern: address) else { return nil }
    func byte(_ offset: Int) -> UInt8 { code.load(fromByteOffset: offset, as: UInt8.self) }
    func target(_ offset: Int) -> UInt {
      let distance = code.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      return address &+ UInt(bitPattern: offset + 4 + Int(distance))
    }
    switch byte(0) {
    case 0xe9: return target(1)
    case 0xeb:
      let distance = code.load(fromByteOffset: 1, as: Int8.self)
      return address &+ UInt(bitPattern: 2 + Int(distance))
    case 0x50...0x57:
      // It keeps the stack aligned: `push`, `call`, `pop`, `ret`.
      guard byte(1) == 0xe8, 0x58...0x5f ~= byte(6), byte(7) == 0xc3 else { return nil }
      return target(2)
    default: return nil
    }
  }

  /// The beginning of the instruction that ends with these four bytes, if it is one that loads an address.
  private static func loadAddress(at place: UInt) -> UnsafeRawPointer? {
    guard let start = UnsafeRawPointer(bitPattern: place &- 3) else { return nil }
    let isWide = start.load(as: UInt8.self) & 0xfb == 0x48
    return isWide && start.load(fromByteOffset: 1, as: UInt8.self) == 0x8d ? start : nil
  }
}
