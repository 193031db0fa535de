// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime

/// Decodes instruction by instruction and gives up at the first that it does not know. Where the function has a jump in place
/// of its first instructions, these are decoded.
struct X86_64Decoder {
  /// Where the next instruction begins.
  private(set) var cursor: UnsafeRawPointer
  private var bytesLeft: Int
  /// What the function's code had where there is a jump now; nil: there is none.
  private let replaced: wax_runtime_replaced?

  // Of the instruction being decoded.
  private var hasOperandSizePrefix = false
  private var hasAddressSizePrefix = false
  private var repeatPrefix: UInt8 = 0
  private var rex: UInt8?
  private var register = 0
  private var operand = Operand.none
  private var hasRelativeOperand = false

  typealias Instruction = X86_64Instruction
  typealias Operand = X86_64Instruction.Operand

  /// Reads no more than `byteLimit` bytes, over all jumps.
  init(_ code: UnsafeRawPointer, byteLimit: Int) {
    cursor = code
    bytesLeft = byteLimit
    var found = wax_runtime_replaced()
    replaced = wax_runtime_code_replaced(code, &found) ? found : nil
  }

  mutating func jump(to address: UInt) -> Bool {
    guard let target = UnsafeRawPointer(bitPattern: address) else { return false }
    cursor = target
    return true
  }

  /// Nil if the instruction is not known or the limit is reached.
  mutating func next() -> Instruction? {
    guard let opcode = decodePrefixes() else { return nil }
    guard var instruction = opcode == 0x0f ? decodeTwoByte() : decodeOneByte(opcode) else {
      return nil
    }
    // Relative to the instruction's end, which is known only now.
    if hasRelativeOperand {
      instruction.destination = absolute(instruction.destination)
      instruction.source = absolute(instruction.source)
    }
    return instruction
  }

  private func absolute(_ operand: Operand) -> Operand {
    guard case .memory(nil, nil, let displacement) = operand else { return operand }
    return .global(UInt(bitPattern: cursor) &+ UInt(bitPattern: displacement))
  }
}

// MARK: - Bytes

extension X86_64Decoder {
  private mutating func byte() -> UInt8? { integer(UInt8.self) }

  private mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type) -> T? {
    let size = MemoryLayout<T>.size
    guard bytesLeft >= size else { return nil }
    defer {
      bytesLeft -= size
      cursor += size
    }
    return T(littleEndian: load())
  }

  private func load<T: FixedWidthInteger & BitwiseCopyable>() -> T {
    var value = cursor.loadUnaligned(as: T.self)
    guard let replaced, let start = replaced.at else { return value }
    let away = cursor - start
    withUnsafeBytes(of: replaced.bytes) { bytes in
      guard away < bytes.count, away + MemoryLayout<T>.size > 0 else { return }
      withUnsafeMutableBytes(of: &value) { value in
        for index in value.indices where bytes.indices.contains(away + index) {
          value[index] = bytes[away + index]
        }
      }
    }
    return value
  }

  /// Reads an immediate of one byte, or of the two or four bytes of the instruction's operands.
  private mutating func immediate(isByte: Bool) -> Operand? {
    if isByte { return integer(Int8.self).map { .immediate(Int($0)) } }
    if hasOperandSizePrefix { return integer(Int16.self).map { .immediate(Int($0)) } }
    return integer(Int32.self).map { .immediate(Int($0)) }
  }

  /// The distance is from the instruction's end.
  private mutating func decodeJump<Distance: FixedWidthInteger & BitwiseCopyable>(
    _ operation: Instruction.Operation, _: Distance.Type
  ) -> Instruction? {
    guard let distance = integer(Distance.self) else { return nil }
    let target = Int(bitPattern: cursor) &+ Int(distance)
    return Instruction(operation: operation, source: .immediate(target))
  }

  /// The opcode after the prefixes.
  private mutating func decodePrefixes() -> UInt8? {
    hasOperandSizePrefix = false
    hasAddressSizePrefix = false
    repeatPrefix = 0
    rex = nil
    hasRelativeOperand = false
    while let next = byte() {
      switch next {
      case 0x66: hasOperandSizePrefix = true
      case 0x67: hasAddressSizePrefix = true
      case 0xf2, 0xf3: repeatPrefix = next
      // Segments: fs is the thread's own data, from which the stack protector takes its mark.
      case 0x2e, 0x3e, 0x64, 0x65: break
      case 0x40...0x4f:
        rex = next
        return byte()
      default: return next
      }
    }
    return nil
  }
}

// MARK: - Operands

extension X86_64Decoder {
  private var isWide: Bool { (rex ?? 0) & 8 != 0 }

  private func operandSize(isByte: Bool = false) -> Int {
    isByte ? 1 : isWide ? 8 : hasOperandSizePrefix ? 2 : 4
  }

  private func extended(_ number: UInt8, by bit: UInt8) -> Int {
    Int(number & 7) + ((rex ?? 0) & bit != 0 ? 8 : 0)
  }

  /// An integer operand by its number. Without a REX prefix, the last four byte registers are the
  /// second bytes of the first four registers.
  private func integerOperand(_ number: Int, isByte: Bool) -> Operand {
    .integer(isByte && rex == nil ? number & 3 : number)
  }

  /// Sets `register` and `operand`; the latter is an integer register or memory.
  private mutating func decodeOperands(isByte: Bool = false) -> Bool {
    guard let modifiers = byte() else { return false }
    register = extended(modifiers >> 3, by: 4)
    if modifiers >> 6 == 3 {
      operand = integerOperand(extended(modifiers, by: 1), isByte: isByte)
      return true
    }
    guard !hasAddressSizePrefix else { return false }
    return decodeMemory(mode: modifiers >> 6, base: modifiers & 7)
  }

  private mutating func decodeMemory(mode: UInt8, base low: UInt8) -> Bool {
    var base: Int? = extended(low, by: 1)
    var index: Int?
    var isLong = mode == 2
    if low == 4 {
      guard let scaled = byte() else { return false }
      base = extended(scaled, by: 1)
      index = extended(scaled >> 3, by: 2)
      // rsp cannot be an index: its number says that there is none.
      if index == 4 { index = nil }
      if mode == 0 && scaled & 7 == 5 {
        base = nil
        isLong = true
      }
    } else if mode == 0 && low == 5 {
      base = nil
      isLong = true
      hasRelativeOperand = true
    }
    var displacement = 0
    if isLong {
      guard let long = integer(Int32.self) else { return false }
      displacement = Int(long)
    } else if mode == 1 {
      guard let short = byte() else { return false }
      displacement = Int(Int8(bitPattern: short))
    }
    operand = .memory(base: base, index: index, displacement: displacement)
    return true
  }

  /// The operand as one that is a vector register or memory.
  private var vectorOperand: Operand {
    if case .integer(let number) = operand { .vector(number) } else { operand }
  }
}

// MARK: - One-byte opcodes

extension X86_64Decoder {
  private mutating func decodeOneByte(_ opcode: UInt8) -> Instruction? {
    switch opcode {
    case 0x00...0x3f: return decodeArithmetic(opcode)
    case 0x50...0x57:
      return Instruction(operation: .push, source: .integer(extended(opcode, by: 1)))
    case 0x58...0x5f:
      return Instruction(operation: .pop, destination: .integer(extended(opcode, by: 1)))
    case 0x63:
      guard decodeOperands() else { return nil }
      return Instruction(
        operation: .move, destination: .integer(register), source: operand, size: 4)
    case 0x68, 0x6a:
      guard let constant = immediate(isByte: opcode == 0x6a) else { return nil }
      return Instruction(operation: .push, source: constant)
    case 0x80, 0x81, 0x83: return decodeImmediateArithmetic(opcode)
    case 0x84, 0x85:
      guard decodeOperands(isByte: opcode == 0x84) else { return nil }
      let other = integerOperand(register, isByte: opcode == 0x84)
      return Instruction(operation: .compare, destination: operand, source: other)
    case 0x88...0x8b: return decodeMove(opcode)
    case 0x8d:
      guard decodeOperands() else { return nil }
      return Instruction(
        operation: .loadAddress, destination: .integer(register), source: operand,
        size: operandSize())
    case 0x90: return Instruction(operation: .nothing)
    case 0xb0...0xbf: return decodeConstant(opcode)
    case 0xc0, 0xc1:
      guard decodeOperands(isByte: opcode == 0xc0), byte() != nil else { return nil }
      return Instruction(operation: .combine, destination: operand)
    case 0xc6, 0xc7:
      let isByte = opcode == 0xc6
      guard decodeOperands(isByte: isByte), register & 7 == 0,
        let constant = immediate(isByte: isByte)
      else { return nil }
      return Instruction(
        operation: .move, destination: operand, source: constant,
        size: operandSize(isByte: isByte))
    case 0x70...0x7f: return decodeJump(conditionalJump(opcode), Int8.self)
    case 0xe8: return decodeJump(.call, Int32.self)
    case 0xe9: return decodeJump(.jump, Int32.self)
    case 0xeb: return decodeJump(.jump, Int8.self)
    case 0xff: return decodeGroupFive()
    default: return nil
    }
  }

  private mutating func decodeMove(_ opcode: UInt8) -> Instruction? {
    let isByte = opcode & 1 == 0
    guard decodeOperands(isByte: isByte) else { return nil }
    let other = integerOperand(register, isByte: isByte)
    let isLoad = opcode & 2 != 0
    return Instruction(
      operation: .move, destination: isLoad ? other : operand, source: isLoad ? operand : other,
      size: operandSize(isByte: isByte))
  }

  private mutating func decodeConstant(_ opcode: UInt8) -> Instruction? {
    let isByte = opcode < 0xb8
    let destination = integerOperand(extended(opcode, by: 1), isByte: isByte)
    let constant: Operand?
    if isWide && !isByte {
      constant = integer(Int64.self).map { .immediate(Int($0)) }
    } else if operandSize(isByte: isByte) == 4 {
      constant = integer(UInt32.self).map { .immediate(Int($0)) }
    } else {
      constant = immediate(isByte: isByte)
    }
    guard let constant else { return nil }
    return Instruction(
      operation: .move, destination: destination, source: constant,
      size: operandSize(isByte: isByte))
  }

  private mutating func decodeArithmetic(_ opcode: UInt8) -> Instruction? {
    let isByte = opcode & 1 == 0
    // 4 and 5 are rax with an immediate; 6 and 7 are not instructions of this mode.
    if opcode & 6 == 4 {
      guard let constant = immediate(isByte: isByte) else { return nil }
      return arithmetic(opcode >> 3, .integer(0), constant)
    }
    guard opcode & 4 == 0, decodeOperands(isByte: isByte) else { return nil }
    let other = integerOperand(register, isByte: isByte)
    return opcode & 2 == 0
      ? arithmetic(opcode >> 3, operand, other) : arithmetic(opcode >> 3, other, operand)
  }

  private mutating func decodeImmediateArithmetic(_ opcode: UInt8) -> Instruction? {
    guard decodeOperands(isByte: opcode == 0x80) else { return nil }
    let kind = UInt8(register & 7)
    guard let constant = immediate(isByte: opcode != 0x81) else { return nil }
    return arithmetic(kind, operand, constant)
  }

  /// `kind` as opcodes number them: add, or, adc, sbb, and, sub, xor, cmp.
  private func arithmetic(_ kind: UInt8, _ destination: Operand, _ source: Operand) -> Instruction {
    let operation: Instruction.Operation =
      switch kind & 7 {
      case 0: .add
      case 5 where destination != source: .subtract
      case 5, 6: destination == source ? .clear : .combine
      case 7: .compare
      default: .combine
      }
    return Instruction(
      operation: operation, destination: destination, source: source, size: operandSize())
  }

  private func conditionalJump(_ opcode: UInt8) -> Instruction.Operation {
    switch opcode & 15 {
    case 4: .jumpIfZero
    case 5: .jumpIfNotZero
    default: .conditionalJump
    }
  }

  /// inc, dec, call, jmp, push.
  private mutating func decodeGroupFive() -> Instruction? {
    guard decodeOperands() else { return nil }
    switch register & 7 {
    case 0, 1: return Instruction(operation: .combine, destination: operand)
    case 2: return Instruction(operation: .call, source: operand)
    case 4: return Instruction(operation: .jump, source: operand)
    case 6: return Instruction(operation: .push, source: operand)
    default: return nil
    }
  }
}

// MARK: - Two-byte opcodes

extension X86_64Decoder {
  private mutating func decodeTwoByte() -> Instruction? {
    guard let opcode = byte() else { return nil }
    if opcode == 0x1e {
      // endbr64, the only one of its kind that does nothing.
      guard repeatPrefix == 0xf3, byte() == 0xfa else { return nil }
      return Instruction(operation: .nothing)
    }
    if 0x80...0x8f ~= opcode { return decodeJump(conditionalJump(opcode), Int32.self) }
    let isCondition = 0x90...0x9f ~= opcode
    let isByte = opcode == 0xb6 || opcode == 0xbe || isCondition
    guard decodeOperands(isByte: isByte) else { return nil }
    switch opcode {
    case 0x1f: return Instruction(operation: .nothing)
    // Whether what was compared last fulfils a condition.
    case _ where isCondition: return Instruction(operation: .combine, destination: operand, size: 1)
    case 0x40...0x4f, 0xaf: return combination(.integer(register), operand)
    case 0xba: return decodeBitOperation()
    case 0xb6, 0xb7, 0xbe, 0xbf:
      return Instruction(
        operation: .move, destination: .integer(register), source: operand, size: isByte ? 1 : 2)
    default: return decodeVector(opcode)
    }
  }

  /// bt, bts, btr, btc by a constant.
  private mutating func decodeBitOperation() -> Instruction? {
    guard byte() != nil else { return nil }
    switch register & 7 {
    case 4: return Instruction(operation: .compare, destination: operand, source: .none)
    case 5, 6, 7: return Instruction(operation: .combine, destination: operand)
    default: return nil
    }
  }

  private mutating func decodeVector(_ opcode: UInt8) -> Instruction? {
    let vector = Operand.vector(register)
    switch opcode {
    case 0x10: return move(vector, vectorOperand, scalarSize)
    case 0x11: return move(vectorOperand, vector, scalarSize)
    case 0x28: return move(vector, vectorOperand, 16)
    case 0x29: return move(vectorOperand, vector, 16)
    case 0x13: return move(operand, vector, 8)
    case 0x17: return Instruction(operation: .compare, destination: .none, source: vector)
    case 0x6e where hasOperandSizePrefix: return move(vector, operand, isWide ? 8 : 4)
    case 0x7e where repeatPrefix == 0xf3: return move(vector, vectorOperand, 8)
    case 0x7e where hasOperandSizePrefix: return move(operand, vector, isWide ? 8 : 4)
    case 0xd6 where hasOperandSizePrefix: return move(vectorOperand, vector, 8)
    case 0x6f where isMoveOfWholeVector: return move(vector, vectorOperand, 16)
    case 0x7f where isMoveOfWholeVector: return move(vectorOperand, vector, 16)
    case 0x57: return exclusiveOr(vector, vectorOperand)
    case 0xef where hasOperandSizePrefix: return exclusiveOr(vector, vectorOperand)
    case 0x2e, 0x2f:
      return Instruction(operation: .compare, destination: vector, source: vectorOperand)
    case 0x2a: return combination(vector, operand)
    case 0x2c, 0x2d: return combination(.integer(register), vectorOperand)
    case 0x12, 0x14...0x16, 0x51, 0x54...0x56, 0x58...0x5f:
      return combination(vector, vectorOperand)
    case 0x60...0x62 where hasOperandSizePrefix: return combination(vector, vectorOperand)
    case 0x6c...0x6d where hasOperandSizePrefix: return combination(vector, vectorOperand)
    case 0x70, 0xc6:
      guard byte() != nil else { return nil }
      return combination(vector, vectorOperand)
    case 0xc4 where hasOperandSizePrefix:
      guard byte() != nil else { return nil }
      return combination(vector, operand)
    case 0xc5 where hasOperandSizePrefix:
      guard byte() != nil else { return nil }
      return move(.integer(register), vectorOperand, 2)
    default: return nil
    }
  }

  private var scalarSize: Int {
    switch repeatPrefix {
    case 0xf3: 4
    case 0xf2: 8
    default: 16
    }
  }

  private var isMoveOfWholeVector: Bool { hasOperandSizePrefix || repeatPrefix == 0xf3 }

  private func move(_ destination: Operand, _ source: Operand, _ size: Int) -> Instruction {
    Instruction(operation: .move, destination: destination, source: source, size: size)
  }

  private func exclusiveOr(_ destination: Operand, _ source: Operand) -> Instruction {
    destination == source
      ? Instruction(operation: .clear, destination: destination)
      : combination(destination, source)
  }

  private func combination(_ destination: Operand, _ source: Operand) -> Instruction {
    Instruction(operation: .combine, destination: destination, source: source)
  }
}
