// SPDX-License-Identifier: MIT

extension PrologueReader {
  /// The arguments that a dynamic function reads before it calls `swift_getFunctionReplacement`.
  ///
  /// Nil if the code is not that of a dynamic function, is not understood, or is longer than
  /// expected. Measured with Swift 6.3.1, with and without optimisation.
  ///
  /// - Parameters:
  ///   - function: where the code begins. It is read as far as it would run, no further, and its jumps
  ///     are trusted: to be called for functions of this program only.
  ///   - identity: what the function calls itself when it asks for its replacement: of an `async`
  ///     function its async function pointer, of any other the function itself, which is the
  ///     default.
  ///   - byteLimit: how many bytes of code to read at most. An unoptimised function clears its
  ///     variables first, in some 15 bytes each.
  package static func savedArguments(
    of function: UnsafeRawPointer, identity: UnsafeRawPointer? = nil, byteLimit: Int = 8192
  ) -> SavedArguments? {
    #if arch(x86_64)
      var trace = X86_64PrologueTrace(identity: identity ?? function)
      return trace.run(from: function, byteLimit: byteLimit)
    #else
      return nil
    #endif
  }
}

/// Follows a function's first instructions, with what is known of each register and stack slot.
///
/// Functions that differ in nothing but their own address are merged by the optimiser: of each is
/// left a piece that adds that address, and the replacement entry's, to the arguments, in registers
/// or on the stack, and jumps to what they have in common or calls it. So jumps are followed, and
/// calls that pass the function's address; other calls are stepped over. Conditional jumps, which
/// sanitizers insert, are not taken: all paths read the same arguments.
private struct X86_64PrologueTrace {
  private typealias Instruction = X86_64Instruction

  /// What a register or stack slot holds.
  private enum Value: Equatable {
    case unknown
    case integerArgument(Int)
    case vectorArgument(Int)
    case stackArgument(word: Int)
    case address(UInt)
    /// An address in the stack, relative to the stack pointer at the function's entry.
    case stackAddress(Int)
  }

  /// Both halves.
  private struct VectorValue {
    var low: Value
    var high: Value
  }

  private let identity: Value
  private var saved = SavedArguments()
  private var integers = [Value](repeating: .unknown, count: 16)
  private var vectors = [VectorValue](
    repeating: VectorValue(low: .unknown, high: .unknown), count: 16)
  private var stack: [Int: Value] = [:]

  private static let stackPointer = 4
  /// The numbers of rdi, rsi, rdx, rcx, r8, r9.
  private static let argumentRegisters = [7, 6, 2, 1, 8, 9]
  private static let callerSaved = [0, 1, 2, 6, 7, 8, 9, 10, 11]

  init(identity: UnsafeRawPointer) {
    self.identity = .address(UInt(bitPattern: identity))
    integers[Self.stackPointer] = .stackAddress(0)
    for (index, register) in Self.argumentRegisters.enumerated() {
      integers[register] = .integerArgument(index)
    }
    for index in 0..<8 {
      vectors[index] = VectorValue(low: .vectorArgument(index), high: .vectorArgument(index))
    }
  }

  mutating func run(from function: UnsafeRawPointer, byteLimit: Int) -> SavedArguments? {
    var decoder = X86_64Decoder(function, byteLimit: byteLimit)
    var isAtStart = true
    while let instruction = decoder.next() {
      switch instruction.operation {
      case .call where integers[Self.argumentRegisters[1]] == identity:
        return saved
      case .call where isIdentityPassed:
        push(.unknown)
        guard follow(instruction.source, &decoder) else { return nil }
      case .call:
        stepOverCall(instruction)
      case .jump:
        // At the start it is somebody else's, who has replaced the code.
        guard !isAtStart, follow(instruction.source, &decoder) else { return nil }
      default:
        perform(instruction)
      }
      if instruction.operation != .nothing { isAtStart = false }
    }
    return nil
  }

  /// Whether the function's address is an argument, as far as one can tell.
  private var isIdentityPassed: Bool {
    if Self.argumentRegisters.contains(where: { integers[$0] == identity }) { return true }
    guard case .stackAddress(let top) = integers[Self.stackPointer] else { return false }
    return stride(from: top, to: 0, by: 8).prefix(8).contains { stack[$0] == identity }
  }

  private func follow(_ target: Instruction.Operand, _ decoder: inout X86_64Decoder) -> Bool {
    guard case .immediate(let address) = target else { return false }
    return decoder.jump(to: UInt(bitPattern: address))
  }

  private mutating func stepOverCall(_ call: Instruction) {
    use(call.source)
    for register in Self.callerSaved { integers[register] = .unknown }
    for register in vectors.indices {
      vectors[register] = VectorValue(low: .unknown, high: .unknown)
    }
  }
}

// MARK: - Instructions

extension X86_64PrologueTrace {
  private mutating func perform(_ instruction: Instruction) {
    let (destination, source) = (instruction.destination, instruction.source)
    switch instruction.operation {
    case .move:
      store(load(source, instruction.size), to: destination, instruction.size)
    case .loadAddress:
      store(address(of: source), to: destination)
    case .add:
      shift(destination, by: source, sign: 1)
    case .subtract:
      shift(destination, by: source, sign: -1)
    case .combine:
      use(destination)
      use(source)
      store(.unknown, to: destination)
    case .clear:
      store(.unknown, to: destination)
    case .compare:
      use(destination)
      use(source)
    case .push:
      push(load(source, 8).low)
    case .pop:
      store(pop(), to: destination)
    case .call, .jump, .conditionalJump, .nothing:
      break
    }
  }

  private mutating func push(_ value: Value) {
    guard case .stackAddress(let top) = integers[Self.stackPointer] else { return }
    integers[Self.stackPointer] = .stackAddress(top - 8)
    stack[top - 8] = value
  }

  private mutating func pop() -> Value {
    guard case .stackAddress(let top) = integers[Self.stackPointer] else { return .unknown }
    integers[Self.stackPointer] = .stackAddress(top + 8)
    return stack[top] ?? .unknown
  }

  private mutating func shift(
    _ destination: Instruction.Operand, by source: Instruction.Operand, sign: Int
  ) {
    if case .integer(let register) = destination, case .immediate(let distance) = source,
      case .stackAddress(let offset) = integers[register]
    {
      integers[register] = .stackAddress(offset + sign * distance)
      return
    }
    use(destination)
    use(source)
    store(.unknown, to: destination)
  }

  private mutating func address(of operand: Instruction.Operand) -> Value {
    switch operand {
    case .global(let address):
      return .address(address)
    case .memory(let base?, nil, let displacement):
      guard case .stackAddress(let offset) = integers[base] else {
        markRead(integers[base])
        return .unknown
      }
      return .stackAddress(offset + displacement)
    default:
      use(operand)
      return .unknown
    }
  }
}

// MARK: - Values

extension X86_64PrologueTrace {
  private mutating func markRead(_ value: Value) {
    switch value {
    case .integerArgument(let index): saved.registers.integer |= 1 << index
    case .vectorArgument(let index): saved.registers.vector |= 1 << index
    case .stackArgument(let word): saved.stackWords.insert(word)
    case .unknown, .address, .stackAddress: break
    }
  }

  private mutating func use(_ operand: Instruction.Operand) {
    _ = load(operand, 16)
  }

  private mutating func load(_ operand: Instruction.Operand, _ size: Int) -> VectorValue {
    var value = VectorValue(low: .unknown, high: .unknown)
    switch operand {
    case .integer(let register):
      value.low = integers[register]
    case .vector(let register):
      value = vectors[register]
    case .immediate(let constant):
      value.low = .address(UInt(bitPattern: constant))
    case .memory(let base, let index, let displacement):
      for register in [base, index].compactMap(\.self) { markRead(integers[register]) }
      if let base, index == nil, case .stackAddress(let offset) = integers[base] {
        value.low = slot(offset + displacement)
        if size > 8 { value.high = slot(offset + displacement + 8) }
      }
    case .global, .none:
      break
    }
    markRead(value.low)
    if size > 8 { markRead(value.high) }
    return value
  }

  /// Above the return address are the arguments, unless the function wrote something else there.
  private func slot(_ offset: Int) -> Value {
    if let value = stack[offset] { return value }
    return offset >= 8 ? .stackArgument(word: (offset - 8) / 8) : .unknown
  }

  private mutating func store(_ value: Value, to operand: Instruction.Operand) {
    store(VectorValue(low: value, high: .unknown), to: operand, 8)
  }

  private mutating func store(
    _ value: VectorValue, to operand: Instruction.Operand, _ size: Int
  ) {
    switch operand {
    case .integer(let register):
      integers[register] = value.low
    case .vector(let register):
      vectors[register] = size > 8 ? value : VectorValue(low: value.low, high: .unknown)
    case .memory(let base, let index, let displacement):
      for register in [base, index].compactMap(\.self) { markRead(integers[register]) }
      if let base, index == nil, case .stackAddress(let offset) = integers[base] {
        stack[offset + displacement] = value.low
        if size > 8 { stack[offset + displacement + 8] = value.high }
      }
    case .global, .immediate, .none:
      break
    }
  }
}
