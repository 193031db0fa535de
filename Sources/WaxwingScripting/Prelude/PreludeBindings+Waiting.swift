// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingValues

/// The parts of lua/waxwing/async.lua: tasks, and operations that can be waited for.
extension PreludeBindings {
}

// MARK: - Tasks

extension PreludeBindings {
  /// (body, place, seconds): the task's number.
  func startTask(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    reader.skip()
    let place = reader.displayString(reader.read()) ?? ""
    let seconds = reader.read().number
    if let reason = runtime.tasks.quota.start() { throw .message(reason) }
    guard let function = call.reference(toArgument: 0) else {
      runtime.tasks.quota.remove(1)
      throw .message("not enough memory")
    }
    let home: ExecutorReference =
      switch place {
      case "main": .main
      case "global": .generic
      default: .current
      }
    let task = ScriptTask(function, at: call.position(), on: home, in: runtime, nil)
    call.writer.integer(runtime.tasks.start(task, after: seconds))
  }

  private func task(_ call: LuaCall) -> ScriptTask? {
    var reader = call.arguments
    return runtime.tasks[Int(reader.read().integer)]
  }

  func cancelTask(_ call: inout LuaCall) {
    // What is cancelled may run Swift code at once.
    guard let task = task(call) else { return }
    state.suspended { task.cancel() }
  }

  /// Waits for a task unless it has ended.
  func joinTask(_ call: inout LuaCall) throws(LuaRaise) {
    guard let task = task(call) else { return }
    try Self.wait(LatchWait(task.end), &call)
  }

  private static func wait(_ wait: Wait, _ call: inout LuaCall) throws(LuaRaise) {
    guard call.mayWait else {
      throw .message("code cannot wait here: use task(function() ... end)")
    }
    if Task.isCancelled { throw .error(CancellationError()) }
    wait.begin(&call)
  }

  /// (sequence of functions, mode)
  func runChildren(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let list = reader.read()
    guard list.tag == WAX_LUA_VALUE_ARRAY.rawValue else { return }
    let count = Int(list.count)
    if let reason = runtime.tasks.quota.add(count) { throw .message(reason) }
    var functions: [Int32] = []
    for _ in 0..<count {
      guard let function = reader.reference(to: reader.read()) else {
        runtime.tasks.quota.remove(count)
        for function in functions { wax_lua_unreference(state.handle, function) }
        throw .message("not enough memory")
      }
      functions.append(function)
    }
    let place = call.position()
    let home = ExecutorReference.current
    let children = functions.map {
      ScriptChild($0, at: place, on: home, in: runtime, ActiveCall.innermost)
    }
    try Self.wait(ChildrenWait(children, runtime.tasks.quota), &call)
  }

  /// Reports a failure; Lua calls this as (error, traceback).
  func reportFailure(_ call: inout LuaCall) {
    var reader = call.arguments
    reader.skip()
    let traceback = reader.displayString(reader.read()) ?? ""
    let failure = call.failure(0)
    runtime.reportTask(
      traceback.isEmpty ? failure.message : failure.message + "\n" + traceback, [],
      position: failure.position)
  }

  /// (error): a traceback of where it is raised, as text, and whether the script raised it on purpose.
  func trace(_ call: inout LuaCall) {
    let lines = call.traceback().map { frame in
      "\(frame.source)\(frame.line.map { ":\($0)" } ?? ""): in \(frame.function)"
    }
    call.writer.string(lines.joined(separator: "\n"))
    call.writer.boolean(wax_lua_is_explicit(call.raw, 1))
  }

  func isCancellation(_ call: inout LuaCall) {
    call.writer.boolean(call.failure(0).swiftError is CancellationError)
  }
}

extension LuaFrame {
  fileprivate var function: String {
    isMainChunk ? "the main chunk" : name.map { "`\($0)`" } ?? "a function"
  }
}

// MARK: - What can be waited for

extension PreludeBindings {
  func sleep(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    try Self.wait(SleepWait(reader.read().number), &call)
  }

  /// (name, text): the reply of a client, or nil and why there is none.
  func ask(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    let text = reader.displayString(reader.read()) ?? ""
    try Self.wait(ReplyWait(runtime.options.host, name, text), &call)
  }

  /// (sequence): a function that waits for its next element.
  func iterate(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let sequence = reader.read()
    let made: AsyncIteratorBox? = dynamicValue(sequence).flatMap { value in
      state.suspended { AsyncIteratorBox.make(of: value) }
    }
    guard let made else {
      throw .message(
        "each takes a Swift AsyncSequence, not \(ValueDescription.of(sequence, call.arguments))"
      )
    }
    let box = Unmanaged.passRetained(made).toOpaque()
    call.writer.proxy(WAX_PROXY_KIND_CLOSURE, box, type: runtime.elementCallback)
  }

  /// Waits for the next element. Called as the function that `each` returns.
  static func findNext(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let proxy = reader.read().pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard let box = proxy.pointer else { return }
    let iterator = Unmanaged<AsyncIteratorBox>.fromOpaque(box).takeUnretainedValue()
    try wait(ElementWait(iterator), &call)
  }

  /// The object or value in a proxy.
  private func dynamicValue(_ value: wax_lua_value) -> Any? {
    if value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer {
      return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    }
    guard value.tag == WAX_LUA_VALUE_PROXY.rawValue else { return nil }
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard proxy.kind == WAX_PROXY_KIND_VALUE.rawValue, let box = proxy.pointer,
      let type = proxy.type
    else { return nil }
    func load<Value>(_: Value.Type) -> Any { box.assumingMemoryBound(to: Value.self).pointee }
    return _openExistential(TypeMetadata.type(at: type), do: load)
  }

  func makeContinuation(_ call: inout LuaCall) {
    call.writer.integer(runtime.continuations.add())
  }

  func resume(_ call: inout LuaCall) {
    var reader = call.arguments
    let number = Int(reader.read().integer)
    guard let latch = runtime.continuations[number] else { return }
    runtime.continuations.remove(number)
    state.suspended { latch.open() }
  }

  func suspend(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let number = Int(reader.read().integer)
    // None: it has been resumed.
    guard let latch = runtime.continuations[number] else { return }
    try Self.wait(LatchWait(latch, continuation: number), &call)
  }
}
