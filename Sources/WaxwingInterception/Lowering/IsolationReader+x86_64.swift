// SPDX-License-Identifier: MIT

internal import CWaxwingABI

extension IsolationReader {
  static func executor(
    of code: UnsafeRawPointer, identity: UnsafeRawPointer, byteLimit: Int
  ) -> EntryExecutor {
    #if arch(x86_64)
      var decoder = X86_64Decoder(code, byteLimit: byteLimit)
      var trace = X86_64Trace(identity: identity)
      guard trace.runToQuestion(&decoder) else { return .unknown }
      var path = X86_64EntryPath(trace: trace)
      return path.run(&decoder)
    #else
      return .unknown
    #endif
  }

  /// The way of a function that asks for no replacement, from its beginning.
  package static func path(ofCodeAt address: UInt) -> Path {
    #if arch(x86_64)
      guard let code = UnsafeRawPointer(bitPattern: address) else { return .unknown }
      var decoder = X86_64Decoder(code, byteLimit: 16384)
      var path = X86_64EntryPath(trace: X86_64Trace(identity: code))
      let executor = path.run(&decoder)
      return Path(
        executor: executor, hasSwitched: path.hasSwitched, stackWords: path.trace.saved.stackWords)
    #else
      return .unknown
    #endif
  }

  static func switchesFirst(
    of code: UnsafeRawPointer, identity: UnsafeRawPointer, byteLimit: Int
  ) -> Bool? {
    #if arch(x86_64)
      var decoder = X86_64Decoder(code, byteLimit: byteLimit)
      var trace = X86_64Trace(identity: identity)
      guard trace.runToQuestion(&decoder) else { return nil }
      var path = X86_64EntryPath(trace: trace, followsAwaits: false)
      let executor = path.run(&decoder)
      if path.hasSwitched { return true }
      return executor == .unknown ? nil : false
    #else
      return nil
    #endif
  }
}

/// The way of an `async` function that has heard that it is not replaced, to its first switch.
///
/// A function that begins with an `await` is left by it and followed to where it goes on: a switch
/// that has nothing to do before that comes then. Measured with Swift 6.3.1.
private struct X86_64EntryPath {
  private typealias Instruction = X86_64Instruction

  private struct Call {
    var callee: UInt?
    /// The value that the function got as `self`.
    var selfValue: X86_64Trace.Value
  }

  private(set) var trace: X86_64Trace
  private var calls: [Call] = []
  /// The function that sets the variable, from the last call of `swift_once`.
  private var initializer: UInt?
  /// The value on which a conditional jump depends.
  private var tested: X86_64Trace.Value?
  private let followsAwaits: Bool
  /// Whether the path has come to a switch of executors.
  private(set) var hasSwitched = false

  private static let taskSwitch = UInt(bitPattern: wax_abi_task_switch_function())
  private static let retain = UInt(bitPattern: wax_abi_retain_function())
  private static let once = UInt(bitPattern: wax_abi_once_function())

  /// - Parameter followsAwaits: Goes on where the function does that is called first.
  init(trace: X86_64Trace, followsAwaits: Bool = true) {
    self.trace = trace
    self.followsAwaits = followsAwaits
  }

  mutating func run(_ decoder: inout X86_64Decoder) -> EntryExecutor {
    var isAtStart = false
    while let instruction = decoder.next() {
      switch instruction.operation {
      case .call:
        call(target(instruction.source))
      case .jump:
        let target = target(instruction.source)
        if let target, target == Self.taskSwitch {
          hasSwitched = true
          return destination
        }
        let isLeft = target == nil || trace.isFrameGone && !isAtStart
        if isLeft, !followsAwaits { return .none }
        guard let next = isLeft ? trace.resumption : target else {
          return isolationThatMadeNoDifference
        }
        guard decoder.jump(to: next) else { return .unknown }
        if isLeft { trace.resume() }
        isAtStart = isLeft
        continue
      case .jumpIfZero, .jumpIfNotZero:
        guard isTaken(instruction) else { break }
        guard let target = target(instruction.source), decoder.jump(to: target) else {
          return .unknown
        }
      default:
        perform(instruction)
      }
      isAtStart = false
    }
    return .unknown
  }

  private func target(_ operand: Instruction.Operand) -> UInt? {
    guard let address = trace.target(operand),
      let code = UnsafeRawPointer(bitPattern: address)
    else { return nil }
    return UInt(bitPattern: wax_abi_code_target(code))
  }

  /// The two words that a function returns are numbered by the call.
  private mutating func call(_ callee: UInt?) {
    let (first, second) = (trace.argument(0), trace.argument(1))
    calls.append(Call(callee: callee, selfValue: trace.selfValue))
    if callee == Self.once, case .address(let address) = second { initializer = address }
    let result = X86_64Trace.Value.result(call: calls.count - 1, word: 0)
    trace.stepOverCall(
      callee == Self.retain ? first : result, .result(call: calls.count - 1, word: 1))
    tested = nil
  }

  private mutating func perform(_ instruction: Instruction) {
    switch instruction.operation {
    case .compare: tested = trace.testedForZero(instruction)
    case .add, .subtract, .combine, .clear: tested = nil
    default: break
    }
    trace.perform(instruction)
  }

  /// Whether the jump is taken. An `isolated` parameter that may be nil is assumed not to be, and
  /// an `await` to return.
  private func isTaken(_ jump: Instruction) -> Bool {
    switch tested {
    case .replacement, .thrownError: jump.operation == .jumpIfZero
    case .integerArgument, .stackArgument: jump.operation == .jumpIfNotZero
    default: false
    }
  }
}

// MARK: - The executor

extension X86_64EntryPath {
  private var destination: EntryExecutor {
    let (identity, implementation) = (trace.argument(1), trace.argument(2))
    if identity == .address(0) { return .generic }
    // Without an implementation it is a default actor itself.
    if implementation == .address(0) { return executor(ofDefaultActor: identity) }
    guard case .result(let call, word: 0) = identity,
      implementation == .result(call: call, word: 1)
    else { return .unknown }
    switch executor(ofDefaultActor: calls[call].selfValue) {
    case .receiver: return .executorOfReceiver
    case .argument(let index): return .executorOfArgument(index)
    case let other: return other
    }
  }

  private func executor(ofDefaultActor actor: X86_64Trace.Value) -> EntryExecutor {
    switch actor {
    case .selfRegister: .receiver
    case .integerArgument(let index): .argument(index)
    case .stackArgument(let word): .argument(X86_64Trace.argumentRegisters.count + word)
    case .result(let call, word: 0), .target(ofCall: let call):
      calls[call].callee.map { .globalActor(shared: $0) } ?? .unknown
    case .content(let variable): .globalActor(shared: variable)
    default: .unknown
    }
  }

  /// Where the optimiser leaves out the switch to a global actor, it still lets its variable be set.
  private var isolationThatMadeNoDifference: EntryExecutor {
    guard calls.count == 1, let initializer else { return .none }
    return .globalActor(shared: initializer)
  }
}
