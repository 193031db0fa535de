// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingValues

/// One call of an added method by Swift code.
struct MethodCall<Value> {
  private let method: AddedMethod
  private let receiver: Any
  /// The arguments with their codecs; nil for Lua's own nil.
  private let arguments: [(value: Any, codec: ValueCodec)?]
  private let receiverCodec: ValueCodec?
  /// The codec of the result; nil if the result is dropped.
  private let resultCodec: ValueCodec?

  init(_ method: AddedMethod, on receiver: Any, _ arguments: [Any?]) throws(UnsupportedType) {
    self.method = method
    self.receiver = receiver
    receiverCodec = receiver is any Any.Type ? nil : try Self.codec(of: receiver)
    var typed: [(value: Any, codec: ValueCodec)?] = []
    for argument in arguments {
      if let argument {
        typed.append((argument, try Self.codec(of: argument)))
      } else {
        typed.append(nil)
      }
    }
    self.arguments = typed
    resultCodec =
      Value.self == Void.self ? nil : try CodecLibrary.codec(for: Value.self, as: .general)
  }

  /// Values cross as where a parameter is of their type.
  private static func codec(of value: Any) throws(UnsupportedType) -> ValueCodec {
    try CodecLibrary.codec(for: type(of: value), as: .general)
  }

  func outcome(in state: LuaState) -> Result<Value, LuaFailure> {
    state.entered {
      guard let coroutine = LuaCoroutine(state) else { return .failure(.noMemory) }
      defer { coroutine.release() }
      do throws(LuaFailure) {
        return .success(try run(coroutine))
      } catch {
        return .failure(error)
      }
    }
  }

  private func run(_ coroutine: LuaCoroutine) throws(LuaFailure) -> Value {
    let writer = coroutine.writer
    if let receiverCodec {
      Self.push(receiver, receiverCodec, writer)
    } else if let type = receiver as? any Any.Type {
      writer.metatype(TypeMetadata.pointer(to: type))
    }
    for argument in arguments {
      if let argument { Self.push(argument.value, argument.codec, writer) } else { writer.nil() }
    }
    let count = try coroutine.call(method.reference)
    return try result(coroutine, count)
  }

  private static func push(_ value: Any, _ codec: ValueCodec, _ writer: LuaWriter) {
    func push<Dynamic>(_ value: Dynamic) {
      withUnsafePointer(to: value) { codec.push($0, writer) }
    }
    _openExistential(value, do: push)
  }

  private func result(_ coroutine: LuaCoroutine, _ count: Int) throws(LuaFailure) -> Value {
    guard let resultCodec else { return unsafeBitCast((), to: Value.self) }
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    defer { place.deallocate() }
    do throws(ConversionError) {
      var reader = coroutine.reader
      try resultCodec.readResult(&reader, into: place)
    } catch {
      let what = count == 0 ? "nothing" : "a wrong value"
      throw LuaFailure(
        kind: .fault,
        message: "the method \(method.qualifiedName) returned \(what): \(error)",
        rawMessage: "", frames: [], swiftError: nil)
    }
    return place.move()
  }
}
