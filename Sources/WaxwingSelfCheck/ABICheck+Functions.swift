// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingBridge
internal import WaxwingInterception
internal import WaxwingValues

#if arch(x86_64)
  /// Calls `self_check.c` as it would any async function.
  @_silgen_name("wax_abi_probe")
  private func probe(_ record: UInt, _ argument: UInt) async -> UInt
#endif

/// How functions are called, and how they ask for their replacements.
extension ABICheck {
  static let functionCanaries: [Canary] = [
    Canary(view: "function values", functionValues),
    Canary(view: "closure contexts", closureContexts),
    Canary(view: "closures of scripts", closures),
    Canary(view: "calling convention", calls),
    Canary(view: "replacement entries", replacements),
    Canary(view: "executors", executors),
    Canary(view: "async functions", asyncFunctions),
  ]

  /// C reads objects of a Swift class as structs: the fields have to be where C's are.
  @Sendable private static func closures(_ view: ABIView) throws(ABIMismatch) {
    for field in SharedLayout.closure {
      guard let inC = field.inC, let inSwift = field.inSwift else {
        throw ABIMismatch("a closure has no field `\(field.name)`")
      }
      try view.expect("the place of `\(field.name)` in a closure", is: inC, inSwift)
    }
    let record = SharedLayout.record
    try view.expect("the size of a call's record", is: record.inC, record.inSwift)
  }

  /// `{ code, context }`; of an async function an async function pointer comes first:
  /// `{ relative address of the code, size of the context: UInt32 }`
  @Sendable private static func functionValues(_ view: ABIView) throws(ABIMismatch) {
    let object = ABISample.Base()
    let plain = ABISample.Plain { $0 + object.number }
    try view.expect("the size of a function", is: 16, MemoryLayout<ABISample.Plain>.size)
    try withExtendedLifetime(plain) { () throws(ABIMismatch) in
      let value = value(plain)
      try view.expect(isCode(value.code), "a function does not begin with its code")
      try view.expect(value.context != nil, "a closure has no context")
    }
    let pointer = value(ABISample.Async { $0 + 1 }).code
    try view.expect(
      isCode(try view.relative("the code", pointer, 0)), "an async function's code is elsewhere")
    let size: UInt32 = try view.load("the size of the context", pointer, 4)
    try view.expect((16..<0x10000).contains(size), "an async function's context has \(size) bytes")
  }

  /// `{ metadata, count of references, captures }`; of the metadata kind, offset of the first capture, and descriptor.
  @Sendable private static func closureContexts(_ view: ABIView) throws(ABIMismatch) {
    // Not known when this is compiled: the optimiser would leave out the captures.
    let number = ABISample.unownedTarget.number
    let byte = UInt8(truncatingIfNeeded: number)
    let adding = ABISample.adding(number, byte)
    try withExtendedLifetime(adding) { () throws(ABIMismatch) in
      guard let context = value(adding).context else {
        throw ABIMismatch("a closure that has captured two values has no context")
      }
      let metadata = try view.pointer("the metadata", context, 0)
      try view.expect("the kind of a context", at: metadata, 0, is: 0x400)
      try view.expect("the offset of the first capture", at: metadata, 8, is: UInt32(16))
      try view.expect("the first capture", at: context, 16, is: number)
      try view.expect("the second capture", at: context, 24, is: byte)
      let descriptor = try view.pointer("the descriptor of captures", metadata, 16)
      try view.expect("the number of captures", at: descriptor, 0, is: UInt32(2))
      try view.expect("the number of sources of metadata", at: descriptor, 4, is: UInt32(0))
      try view.expect("the number of bindings", at: descriptor, 8, is: UInt32(0))
      let first = try view.relative("the type of the first capture", descriptor, 12)
      try view.expect("the type of the first capture", at: first, 0, is: UInt8(ascii: "S"))
      try view.expect("the type of the first capture", at: first, 1, is: UInt8(ascii: "i"))
      _ = try view.relative("the type of the second capture", descriptor, 16)
    }
  }

  private static func value<Stored>(_ stored: Stored) -> FunctionValue {
    withUnsafeBytes(of: stored) { FunctionValue(at: $0.baseAddress.unsafelyUnwrapped) }
  }

  /// Whether the address is in the image that the engine is in.
  private static func isCode(_ address: UnsafeRawPointer) -> Bool {
    wax_abi_in_one_image(address, wax_abi_replacement())
  }

  /// Arguments and results in registers, the context in r13, the error in r12.
  @Sendable private static func calls(_ view: ABIView) throws(ABIMismatch) {
    let object = ABISample.Base()
    let stored = ABISample.Throwing { number, real, byte in
      if byte == 0 { throw ABISample.Failure(number: number) }
      return (number + object.number, Int(byte), real * 2)
    }
    let value = value(stored)
    try withExtendedLifetime(stored) { () throws(ABIMismatch) in
      var frame = frame(calling: value, byte: 9)
      Invocation.call(value.code, &frame)
      try view.expect("the error of a function that throws none", is: 0, frame.thrownError)
      try view.expect("the first result", is: 141, frame.integerResults.0)
      try view.expect("the second result", is: 9, frame.integerResults.1)
      try view.expect("the third result", is: (3.0).bitPattern, frame.firstDoubleResult.bitPattern)
      frame = Self.frame(calling: value, byte: 0)
      Invocation.call(value.code, &frame)
      let isError = SwiftErrorBox.isError(frame.thrownError)
      if isError { SwiftErrorBox.release(frame.thrownError) }
      try view.expect(isError, "a function that throws leaves no error")
    }
  }

  private static func frame(calling value: FunctionValue, byte: UInt8) -> Frame {
    var frame = Frame(stackArguments: nil)
    frame.integerArguments.0 = 100
    frame.integerArguments.1 = UInt64(byte)
    frame.firstDoubleArgument = 1.5
    frame.selfRegister = UInt64(UInt(bitPattern: value.context))
    return frame
  }

  /// Checks that a dynamic function asks our look-up, with its entry, whose first word is the
  /// function, and runs the code that it gets.
  @Sendable private static func replacements(_ view: ABIView) throws(ABIMismatch) {
    Lookup.beginWatching()
    let own = abiDynamic(1)
    guard let question = Lookup.endWatching() else {
      throw ABIMismatch("a dynamic function does not ask Waxwing for its replacement")
    }
    try view.expect("the word in an entry", at: question.entry, 0, is: question.function)
    try view.expect(isCode(question.function), "a dynamic function's code is elsewhere")
    try view.expect("the result of a function without replacement", is: 2, own)
    Lookup.beginWatching(replacement: wax_abi_replacement())
    let replaced = abiDynamic(1)
    _ = Lookup.endWatching()
    try view.expect("the result of a replaced function", is: ~1, replaced)
  }

  @Sendable private static func executors(_ view: ABIView) throws(ABIMismatch) {
    try view.expect("the size of an executor", is: 16, MemoryLayout<UnownedSerialExecutor>.size)
    let actor = ABISample.Worker()
    let executor = ExecutorReference(actor.unownedExecutor)
    try view.expect(
      "an actor's executor", is: UInt(bitPattern: Unmanaged.passUnretained(actor).toOpaque()),
      executor.identity)
    try view.expect("how to talk to an actor's executor", is: 0, executor.implementation)
    try view.expect(ExecutorReference.main != .generic, "the main actor has no executor")
  }
}

// MARK: - Async functions

#if arch(x86_64)
  extension ABICheck {
    /// The outcome of the calls that a task makes. Never freed if the task does not end.
    private struct Run {
      var probe = wax_abi_async_record()
      var result: UInt = 0
      var question: Lookup.Question?
      var hasEnded = false
      var wasGeneric = false
    }

    private static let argument: UInt = 0x5a

    /// A task calls an async function of C's, which looks at its context and returns; and a dynamic one.
    @Sendable private static func asyncFunctions(_ view: ABIView) throws(ABIMismatch) {
      let memory = UnsafeMutablePointer<Run>.allocate(capacity: 1)
      memory.initialize(to: Run())
      guard wax_abi_run_on_thread({ $0.map(ABICheck.runTask) }, memory) else { return }
      let run = memory.pointee
      try view.expect(run.probe.was_called, "a task does not begin where it is made")
      try view.expect("the argument", is: UInt64(argument), run.probe.argument)
      try view.expect(run.probe.has_parent, "a context does not begin with its caller's")
      try view.expect(run.probe.resumes, "the second word of a context is no code")
      try view.expect(run.hasEnded, "an async function that returned was not resumed")
      memory.deallocate()
      try view.expect("the result", is: ~argument, run.result)
      try view.expect(run.wasGeneric, "a thread of its own has an executor")
      guard let question = run.question else {
        throw ABIMismatch("a dynamic async function does not ask Waxwing for its replacement")
      }
      try view.expect(
        "the word in an async function's entry", at: question.entry, 0, is: question.function)
      let code = try view.relative("the code of an async function", question.function, 0)
      try view.expect(isCode(code), "a dynamic async function's code is elsewhere")
    }

    private static func runTask(_ memory: UnsafeMutableRawPointer) {
      let address = UInt(bitPattern: memory)
      Task.immediate {
        guard let memory = UnsafeMutableRawPointer(bitPattern: address) else { return }
        let run = memory.assumingMemoryBound(to: Run.self)
        run.pointee.wasGeneric = ExecutorReference.current == .generic
        run.pointee.result = await probe(address, argument)
        Lookup.beginWatching()
        _ = await abiDynamicAsync(1)
        run.pointee.question = Lookup.endWatching()
        run.pointee.hasEnded = true
      }
    }
  }
#else
  extension ABICheck {
    @Sendable private static func asyncFunctions(_ view: ABIView) throws(ABIMismatch) {}
  }
#endif
