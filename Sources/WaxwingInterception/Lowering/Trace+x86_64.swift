// SPDX-License-Identifier: MIT

/// Follows a function's first instructions, with what is known of each register and stack slot.
///
/// Functions that differ in nothing but their own address are merged by the optimiser: of each is
/// left a piece that adds that address, and the replacement entry's, to the arguments, in registers
/// or on the stack, and jumps to what they have in common or calls it. So jumps are followed, and
/// calls that pass the function's address; other calls are stepped over. Conditional jumps before
/// the question, which sanitizers insert, are not taken: all paths read the same arguments.
struct X86_64Trace {
  typealias Instruction = X86_64Instruction

  /// The content of a register or of a word in memory.
  enum Value: Equatable {
    case unknown
    case integerArgument(Int)
    case vectorArgument(Int)
    case stackArgument(word: Int)
    case address(UInt)
    /// An address in the stack, relative to the stack pointer at the function's entry.
    case stackAddress(Int)
    /// `self` where it is not among the arguments.
    case selfRegister
    /// The address for a result that is not in registers.
    case resultAddress
    /// An address in the function's async context, relative to its beginning.
    case asyncContextAddress(Int)
    /// The answer that the function gets when it asks for its replacement.
    case replacement
    /// The error of a called `async` function, or zero.
    case thrownError
    case result(call: Int, word: Int)
    /// An address so far from where the first word of a call's result points to.
    case targetAddress(ofCall: Int, Int)
    /// The memory to which the first word of a call's result points, as the call left it.
    case target(ofCall: Int)
    /// The content of the variable at this address.
    case content(of: UInt)
  }

  /// Both halves of a vector register.
  private struct VectorValue {
    var low: Value
    var high: Value
  }

  private let identity: Value
  private(set) var saved = SavedArguments()
  private var integers = [Value](repeating: .unknown, count: 16)
  private var vectors = [VectorValue](
    repeating: VectorValue(low: .unknown, high: .unknown), count: 16)
  private var stack: [Int: Value] = [:]
  private var asyncContext: [Int: Value] = [:]
  /// The values that were written to the memory to which calls' results point, by call and offset.
  private var targets: [[Int]: Value] = [:]

  private static let stackPointer = 4
  /// The numbers of rdi, rsi, rdx, rcx, r8, r9.
  static let argumentRegisters = [7, 6, 2, 1, 8, 9]
  /// rax, where the address of an indirect result is.
  private static let resultRegister = 0
  /// The number of the register that holds `self`, r13.
  private static let selfRegister = 13
  /// The number of the register that holds the async context, r14.
  private static let asyncContextRegister = 14
  private static let callerSaved = [0, 1, 2, 6, 7, 8, 9, 10, 11]

  init(identity: UnsafeRawPointer) {
    self.identity = .address(UInt(bitPattern: identity))
    integers[Self.stackPointer] = .stackAddress(0)
    integers[Self.selfRegister] = .selfRegister
    integers[Self.resultRegister] = .resultAddress
    integers[Self.asyncContextRegister] = .asyncContextAddress(0)
    for (index, register) in Self.argumentRegisters.enumerated() {
      integers[register] = .integerArgument(index)
    }
    for index in 0..<8 {
      vectors[index] = VectorValue(low: .vectorArgument(index), high: .vectorArgument(index))
    }
  }

  /// A trace that begins within a function: of registers that a call keeps nothing is known but that each holds something.
  init(within identity: UnsafeRawPointer) {
    self.init(identity: identity)
    for register in integers.indices where register != Self.stackPointer {
      let isKept = !Self.callerSaved.contains(register)
      integers[register] = isKept ? .result(call: -register, word: 0) : .unknown
    }
    for register in vectors.indices {
      vectors[register] = VectorValue(low: .unknown, high: .unknown)
    }
  }

  /// Runs the trace to the instruction after the call that asks for the replacement; false if that
  /// is not reached.
  mutating func runToQuestion(_ decoder: inout X86_64Decoder) -> Bool {
    var isAtStart = true
    while let instruction = decoder.next() {
      switch instruction.operation {
      case .call where integers[Self.argumentRegisters[1]] == identity:
        stepOverCall(.replacement, .unknown)
        return true
      case .call where isIdentityPassed:
        push(.unknown)
        saved.isForwarded = true
        guard follow(instruction.source, &decoder) else { return false }
      case .call:
        use(instruction.source)
        stepOverCall(.unknown, .unknown)
      case .jump:
        // At the start it is somebody else's, who has replaced the code.
        guard !isAtStart, follow(instruction.source, &decoder) else { return false }
      default:
        perform(instruction)
      }
      if instruction.operation != .nothing { isAtStart = false }
    }
    return false
  }

  /// Runs the trace from there to the call of the replacement, which is the first jump or call
  /// whose target no instruction names.
  /// - Returns: Whether all stack arguments have been seen. A function that is not `async` and
  ///   jumps to its replacement leaves them where they are.
  mutating func runToReplacement(_ decoder: inout X86_64Decoder, isAsync: Bool) -> Bool {
    var isReplacementTested = false
    while let instruction = decoder.next() {
      switch instruction.operation {
      case .call, .jump:
        guard case .immediate = instruction.source else {
          if !isAsync { saved.passesResultAddress = passesResultAddress(instruction.source) }
          return isAsync || instruction.operation == .call
        }
        if instruction.operation == .call {
          stepOverCall(.unknown, .unknown)
        } else if !follow(instruction.source, &decoder) {
          return false
        }
      case .compare:
        isReplacementTested = testedForZero(instruction) == .replacement
        perform(instruction)
      case .jumpIfNotZero where isReplacementTested:
        guard follow(instruction.source, &decoder) else { return false }
      default:
        perform(instruction)
      }
    }
    return false
  }

  /// Whether a call of this replacement now would get the address of a result.
  private func passesResultAddress(_ replacement: Instruction.Operand) -> Bool? {
    switch integers[Self.resultRegister] {
    case .resultAddress: true
    case .replacement: false
    default: replacement == .integer(Self.resultRegister) ? false : nil
    }
  }

  /// The argument registers that hold an address, by their places among them.
  func registers(with address: UInt) -> Set<Int> {
    Set(
      Self.argumentRegisters.enumerated().filter { integers[$0.element] == .address(address) }
        .map(\.offset))
  }

  /// The code, or async function pointer, of a function value among the arguments whose context has this address as its first
  /// value. A context begins with two words of its own.
  func wrapper(of address: UInt) -> UInt? {
    for (code, context) in zip(Self.argumentRegisters, Self.argumentRegisters.dropFirst()) {
      guard case .address(let wrapper) = integers[code],
        case .result(let call, word: 0) = integers[context],
        targets[[call, 16]] == .address(address)
      else { continue }
      return wrapper
    }
    return nil
  }

  /// Whether the function's address is an argument, as far as one can tell.
  var isIdentityPassed: Bool {
    if Self.argumentRegisters.contains(where: { integers[$0] == identity }) { return true }
    guard case .stackAddress(let top) = integers[Self.stackPointer] else { return false }
    return stride(from: top, to: 0, by: 8).prefix(8).contains { stack[$0] == identity }
  }

  private func follow(_ target: Instruction.Operand, _ decoder: inout X86_64Decoder) -> Bool {
    guard case .immediate(let address) = target else { return false }
    return decoder.jump(to: UInt(bitPattern: address))
  }

  /// Steps over a call whose result's first two words are these.
  mutating func stepOverCall(_ first: Value, _ second: Value) {
    for register in Self.callerSaved { integers[register] = .unknown }
    integers[0] = first
    integers[2] = second
    for register in vectors.indices {
      vectors[register] = VectorValue(low: .unknown, high: .unknown)
    }
  }
}

// MARK: - What is known

extension X86_64Trace {
  /// The integer argument that a call would get now.
  func argument(_ index: Int) -> Value { integers[Self.argumentRegisters[index]] }

  /// The `self` that a call would get now.
  var selfValue: Value { integers[Self.selfRegister] }

  /// Where the function that is called by a jump now will return to: to what its async context says,
  /// if that has been allocated by a call. Nil if the jump returns from this function itself.
  var resumption: UInt? {
    guard case .result = integers[Self.asyncContextRegister],
      case .address(let function) = content(of: integers[Self.asyncContextRegister], at: 8)
    else { return nil }
    return function
  }

  /// Continues after a call of an `async` function: with its async context, and otherwise with the
  /// values in this function's own context.
  mutating func resume() {
    let context = integers[Self.asyncContextRegister]
    for register in integers.indices { integers[register] = .unknown }
    for register in vectors.indices {
      vectors[register] = VectorValue(low: .unknown, high: .unknown)
    }
    stack = [:]
    integers[Self.stackPointer] = .stackAddress(0)
    integers[Self.asyncContextRegister] = context
    integers[Self.selfRegister] = .thrownError
  }

  /// Whether a jump now would leave the function: nothing of it is on the stack any more.
  var isFrameGone: Bool {
    guard case .stackAddress(let top) = integers[Self.stackPointer] else { return false }
    return top >= 0
  }

  /// Where a jump or call leads to; nil if only running it would tell.
  func target(_ operand: Instruction.Operand) -> UInt? {
    switch operand {
    case .immediate(let address): return UInt(bitPattern: address)
    case .global(let address):
      return UnsafePointer<UInt>(bitPattern: address)?.pointee
    case .integer(let register):
      guard case .address(let address) = integers[register] else { return nil }
      return address
    case .vector, .memory, .none: return nil
    }
  }

  /// The value that the instruction compares with zero; nil if it is no such comparison.
  func testedForZero(_ comparison: Instruction) -> Value? {
    guard
      comparison.source == .immediate(0) || comparison.source == comparison.destination
    else { return nil }
    var copy = self
    return copy.load(comparison.destination, 8).low
  }
}

// MARK: - Instructions

extension X86_64Trace {
  mutating func perform(_ instruction: Instruction) {
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
      store(.address(0), to: destination)
    case .compare:
      use(destination)
      use(source)
    // Pushed only so that the stack is aligned.
    case .push where source == .integer(Self.resultRegister):
      push(integers[Self.resultRegister])
    case .push:
      push(load(source, 8).low)
    case .pop:
      store(pop(), to: destination)
    case .call, .jump, .jumpIfZero, .jumpIfNotZero, .conditionalJump, .nothing:
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
      let shifted = shifted(integers[register], by: sign * distance)
    {
      integers[register] = shifted
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
      if let shifted = shifted(integers[base], by: displacement) { return shifted }
      markRead(integers[base])
      return .unknown
    default:
      use(operand)
      return .unknown
    }
  }

  /// Nil if it is not an address in memory that is followed.
  private func shifted(_ value: Value, by distance: Int) -> Value? {
    switch value {
    case .stackAddress(let offset): .stackAddress(offset + distance)
    case .asyncContextAddress(let offset): .asyncContextAddress(offset + distance)
    case .result(let call, word: 0): .targetAddress(ofCall: call, distance)
    case .targetAddress(ofCall: let call, let offset):
      .targetAddress(ofCall: call, offset + distance)
    default: nil
    }
  }
}

// MARK: - Values

extension X86_64Trace {
  private mutating func markRead(_ value: Value) {
    switch value {
    case .integerArgument(let index): saved.registers.integer |= 1 << index
    case .vectorArgument(let index): saved.registers.vector |= 1 << index
    case .stackArgument(let word): saved.stackWords.insert(word)
    case .resultAddress: saved.hasResultAddress = true
    default: break
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
      if let base, index == nil {
        value.low = content(of: integers[base], at: displacement)
        if size > 8 { value.high = content(of: integers[base], at: displacement + 8) }
      }
    case .global(let address):
      value.low = .content(of: address)
    case .none:
      break
    }
    markRead(value.low)
    if size > 8 { markRead(value.high) }
    return value
  }

  private func content(of base: Value, at displacement: Int) -> Value {
    switch base {
    case .stackAddress(let offset): slot(offset + displacement)
    case .asyncContextAddress(let offset): asyncContext[offset + displacement] ?? .unknown
    case .result(let call, word: 0):
      targets[[call, displacement]] ?? (displacement == 0 ? .target(ofCall: call) : .unknown)
    case .targetAddress(ofCall: let call, let offset):
      targets[[call, offset + displacement]] ?? .unknown
    case .address(let address): .content(of: address &+ UInt(bitPattern: displacement))
    default: .unknown
    }
  }

  /// The value of a stack slot. The slots above the return address hold the arguments, unless the
  /// function has written something else there.
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
      guard let base, index == nil else { break }
      put(value.low, at: integers[base], displacement)
      if size > 8 { put(value.high, at: integers[base], displacement + 8) }
    case .global, .immediate, .none:
      break
    }
  }

  private mutating func put(_ value: Value, at base: Value, _ displacement: Int) {
    switch base {
    case .stackAddress(let offset): stack[offset + displacement] = value
    case .asyncContextAddress(let offset): asyncContext[offset + displacement] = value
    case .result(let call, word: 0): targets[[call, displacement]] = value
    case .targetAddress(ofCall: let call, let offset):
      targets[[call, offset + displacement]] = value
    default: break
    }
  }
}
