// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import CWaxwingRuntime
internal import WaxwingInterception
internal import WaxwingMetadata
internal import WaxwingOverrides

#if arch(x86_64)
  /// Calls `self_check.c` as it would any async function.
  @_silgen_name("wax_abi_probe")
  private func probe(_ record: UInt, _ argument: UInt) async -> UInt
#endif

/// How functions are called, and how they ask for their replacements.
extension ABICheck {
  static let functionCanaries: [Canary] = [
    Canary(view: "function values", functionValues),
    Canary(view: "calling convention", calls),
    Canary(view: "replacement entries", replacements),
    Canary(view: "executors", executors),
    Canary(view: "async functions", asyncFunctions),
  ]

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

  private static func value<Stored>(_ stored: Stored) -> FunctionValue {
    withUnsafeBytes(of: stored) { FunctionValue(at: $0.baseAddress.unsafelyUnwrapped) }
  }

  /// In the image that the engine is in.
  private static func isCode(_ address: UnsafeRawPointer) -> Bool {
    wax_abi_in_one_image(address, wax_runtime_drive_pointer())
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
      wax_runtime_invoke(value.code, &frame, 0)
      try view.expect("the error of a function that throws none", is: 0, frame.error)
      try view.expect("the first result", is: 141, frame.integer_result.0)
      try view.expect("the second result", is: 9, frame.integer_result.1)
      try view.expect("the third result", is: (3.0).bitPattern, frame.vector_result.0.low)
      frame = Self.frame(calling: value, byte: 0)
      wax_runtime_invoke(value.code, &frame, 0)
      let isError = SwiftErrorBox.isError(frame.error)
      if isError { SwiftErrorBox.release(frame.error) }
      try view.expect(isError, "a function that throws leaves no error")
    }
  }

  private static func frame(calling value: FunctionValue, byte: UInt8) -> wax_runtime_frame {
    var frame = wax_runtime_frame()
    frame.integer.0 = 100
    frame.integer.1 = UInt64(byte)
    frame.vector.0.low = (1.5).bitPattern
    frame.`self` = UInt64(UInt(bitPattern: value.context))
    return frame
  }

  /// A dynamic function asks ours, with the entry, whose first word is the function, and runs what it
  /// is told.
  @Sendable private static func replacements(_ view: ABIView) throws(ABIMismatch) {
    wax_runtime_lookup_watch(nil)
    let own = abiDynamic(1)
    let record = wax_runtime_lookup_watched()
    try view.expect(
      record.entry != nil, "a dynamic function does not ask Waxwing for its replacement")
    guard let entry = record.entry, let function = record.function else { return }
    try view.expect("the word in an entry", at: entry, 0, is: function)
    try view.expect(isCode(function), "a dynamic function's code is elsewhere")
    try view.expect("the result of a function without replacement", is: 2, own)
    wax_runtime_lookup_watch(wax_abi_replacement())
    let replaced = abiDynamic(1)
    _ = wax_runtime_lookup_watched()
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
    /// What came of the calls that a task makes. Kept for good if the task does not end.
    private struct Run {
      var probe = wax_abi_async_record()
      var result: UInt = 0
      var lookup = wax_runtime_lookup_record()
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
      guard let entry = run.lookup.entry, let function = run.lookup.function else {
        throw ABIMismatch("a dynamic async function does not ask Waxwing for its replacement")
      }
      try view.expect("the word in an async function's entry", at: entry, 0, is: function)
      let code = try view.relative("the code of an async function", function, 0)
      try view.expect(isCode(code), "a dynamic async function's code is elsewhere")
    }

    private static func runTask(_ memory: UnsafeMutableRawPointer) {
      let address = UInt(bitPattern: memory)
      Task.immediate {
        guard let memory = UnsafeMutableRawPointer(bitPattern: address) else { return }
        let run = memory.assumingMemoryBound(to: Run.self)
        run.pointee.wasGeneric = ExecutorReference.current == .generic
        run.pointee.result = await probe(address, argument)
        wax_runtime_lookup_watch(nil)
        _ = await abiDynamicAsync(1)
        run.pointee.lookup = wax_runtime_lookup_watched()
        run.pointee.hasEnded = true
      }
    }
  }
#else
  extension ABICheck {
    @Sendable private static func asyncFunctions(_ view: ABIView) throws(ABIMismatch) {}
  }
#endif
