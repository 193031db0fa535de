// SPDX-License-Identifier: MIT

package import CWaxwingLua

/// One coroutine of a state and the buffer of the crossing it carries, for as long as a call from
/// Swift into Lua lasts. The state must stay entered, or entered again, whenever it is used.
package struct LuaCoroutine {
  package let raw: UnsafeMutablePointer<wax_lua_coroutine>

  /// Takes an idle coroutine of `state`, which must be entered.
  /// - Returns: nil if there is no memory.
  package init?(_ state: borrowing LuaState) {
    guard let raw = wax_lua_coroutine_acquire(state.handle) else { return nil }
    self.raw = raw
  }

  /// A coroutine that C code has taken.
  package init(taken raw: UnsafeMutablePointer<wax_lua_coroutine>) {
    self.raw = raw
  }

  package var buffer: UnsafeMutablePointer<wax_lua_buffer> { raw.pointer(to: \.buffer)! }
  package var writer: LuaWriter { LuaWriter(buffer) }
  package var reader: LuaReader { LuaReader(buffer) }

  /// Gives the coroutine back. Strings that its reader gave are no longer valid.
  package func release() { wax_lua_coroutine_release(raw) }

  /// Frees what was needed for a large call.
  package func trim() { wax_lua_coroutine_trim(raw) }

  /// Gives a coroutine back that waits and is not to go on.
  package func drop() {
    wax_lua_coroutine_moved(raw)
    raw.pointee.is_broken = true
    wax_lua_coroutine_release(raw)
  }

  /// Calls the function with this reference with the values that were written. Its results can be
  /// read afterwards.
  /// - Returns: The number of results.
  package func call(_ reference: Int32) throws(LuaFailure) -> Int {
    var count: Int32 = 0
    let status = wax_lua_coroutine_call(raw, reference, &count)
    if status != WAX_LUA_STATUS_OK { throw failure(status) }
    return Int(count)
  }

  /// The outcome of a call that C code has made.
  /// - Parameters:
  ///   - status: The status that Lua returned.
  ///   - first: The position of the first result on the coroutine's stack.
  /// - Returns: The number of results.
  package func outcome(_ status: Int32, _ first: Int32) throws(LuaFailure) -> Int {
    var count: Int32 = 0
    let status = wax_lua_coroutine_outcome(raw, status, first, &count)
    if status != WAX_LUA_STATUS_OK { throw failure(status) }
    return Int(count)
  }

  /// Reads the results again, with nothing lent among them.
  package func showResults() throws(LuaFailure) {
    let status = wax_lua_coroutine_show_results(raw)
    if status != WAX_LUA_STATUS_OK { throw failure(status) }
  }

  /// How a turn of a call that may wait has ended.
  package enum Turn {
    /// The turn has ended with this number of results, which can be read.
    case done(Int)
    /// The turn waits for the operation that set this callback as `LuaCall.waits`.
    case waits(UnsafeMutablePointer<wax_lua_callback>)
  }

  /// The first turn of a call like `call`, in which Lua may wait. A coroutine that waits is not to be
  /// released: it is dropped, or ends with its state.
  package func start(_ reference: Int32) throws(LuaFailure) -> Turn {
    try turn { wax_lua_coroutine_start(raw, reference, $0, $1) }
  }

  /// The next turn, on any thread.
  package func resume() throws(LuaFailure) -> Turn {
    try turn { wax_lua_coroutine_resume(raw, $0, $1) }
  }

  private func turn(
    _ run: (
      UnsafeMutablePointer<Int32>, UnsafeMutablePointer<UnsafeMutablePointer<wax_lua_callback>?>
    ) -> wax_lua_status
  ) throws(LuaFailure) -> Turn {
    var count: Int32 = 0
    var waits: UnsafeMutablePointer<wax_lua_callback>?
    let status = run(&count, &waits)
    if status != WAX_LUA_STATUS_OK { throw failure(status) }
    return waits.map(Turn.waits) ?? .done(Int(count))
  }

  /// Compiles source text.
  /// - Parameters:
  ///   - chunkName: As Lua wants it: `@overdraft.lua` for a file.
  ///   - environment: The global variable whose table has the chunk's globals; nil: Lua's own.
  /// - Returns: A reference to the function it makes.
  package func load(
    _ source: UnsafeRawBufferPointer, chunkName: String, environment: String?
  ) throws(LuaFailure) -> Int32 {
    var reference: Int32 = 0
    let status = wax_lua_load(
      raw, source.baseAddress?.assumingMemoryBound(to: CChar.self), source.count, chunkName,
      environment, &reference)
    if status != WAX_LUA_STATUS_OK { throw failure(status) }
    return reference
  }

  func failure(_ status: wax_lua_status) -> LuaFailure {
    LuaFailure(status, reader, frames)
  }

  private var frames: [LuaFrame] {
    let count = Int(raw.pointee.frame_count)
    return UnsafeBufferPointer(start: raw.pointee.frames, count: count).map(LuaFrame.init)
  }
}

extension LuaFailure {
  /// - Parameter reader: Stands at the error, followed by the value that the script raised, if it
  ///   did.
  init(_ status: wax_lua_status, _ reader: LuaReader, _ frames: [LuaFrame]) {
    var reader = reader
    let message = LuaErrorValue(reader.peeked, reader)
    reader.skip()
    let raw = status == WAX_LUA_STATUS_EXPLICIT ? LuaErrorValue(reader.peeked, reader) : message
    let kind = Self.kind(status)
    let isMeant = kind == .explicit && message.text == raw.text && message.isText
    var text = kind == .noMemory ? Self.noMemory.message : message.text
    if !isMeant && message.swiftError == nil { text = Self.placed(text, frames) }
    self.init(
      kind: kind, message: text, rawMessage: kind == .explicit ? raw.text : text, frames: frames,
      swiftError: message.swiftError, isToldBySwift: message.swiftError != nil && !message.isText)
  }

  /// The message with its position. Lua knows no position for errors of its own functions, nor for
  /// values that are not text.
  private static func placed(_ message: String, _ frames: [LuaFrame]) -> String {
    guard let place = frames.first(where: { $0.line != nil }), let line = place.line,
      !frames.contains(where: { message.hasPrefix("\($0.source):") })
    else { return message }
    return "\(place.source):\(line): \(message)"
  }

  private static func kind(_ status: wax_lua_status) -> Kind {
    switch status {
    case WAX_LUA_STATUS_EXPLICIT: .explicit
    case WAX_LUA_STATUS_NO_MEMORY: .noMemory
    case WAX_LUA_STATUS_LIMIT_EXCEEDED: .limit
    default: .fault
    }
  }
}

/// A description of an error value of any kind.
struct LuaErrorValue {
  /// Empty for a Swift error: what that says is asked for where it is needed.
  let text: String
  /// Whether the value itself says something.
  let isText: Bool
  let swiftError: (any Error)?

  init(_ value: wax_lua_value, _ reader: LuaReader) {
    swiftError = Self.swiftError(value)
    let ownText = reader.displayString(value) ?? Self.plainText(value)
    isText = ownText != nil
    text =
      ownText ?? (swiftError == nil ? "(error value is a \(value.kindName))" : "")
  }

  private static func plainText(_ value: wax_lua_value) -> String? {
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_INTEGER: "\(value.integer)"
    case WAX_LUA_VALUE_NUMBER: "\(value.number)"
    case WAX_LUA_VALUE_BOOLEAN: value.integer != 0 ? "true" : "false"
    default: nil
    }
  }

  /// An error that Swift threw, or a value of the program's that is one.
  private static func swiftError(_ value: wax_lua_value) -> (any Error)? {
    if value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer {
      return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue() as? any Error
    }
    guard value.tag == WAX_LUA_VALUE_PROXY.rawValue else { return nil }
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard let box = proxy.pointer else { return nil }
    switch wax_proxy_kind(rawValue: proxy.kind) {
    case WAX_PROXY_KIND_ERROR:
      return withUnsafePointer(to: box) {
        UnsafeRawPointer($0).assumingMemoryBound(to: (any Error).self).pointee
      }
    case WAX_PROXY_KIND_VALUE: return proxy.type.flatMap { valueError(box, $0) }
    default: return nil
    }
  }

  /// The value of a type with this metadata, if it is an error.
  private static func valueError(
    _ box: UnsafeMutableRawPointer, _ metadata: UnsafeRawPointer
  ) -> (any Error)? {
    let type = unsafeBitCast(metadata, to: Any.Type.self)
    guard let errorType = type as? any Error.Type else { return nil }
    func load<Value: Error>(_: Value.Type) -> any Error {
      box.assumingMemoryBound(to: Value.self).pointee
    }
    return _openExistential(errorType, do: load)
  }
}
