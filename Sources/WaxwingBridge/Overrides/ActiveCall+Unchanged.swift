// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// Passes a value that Lua returns unchanged as the value that it was: a slice keeps its indices,
/// and a dictionary its order. The value is searched among the values of the call and the result of
/// its original, but only if a conversion would make another value.
extension ActiveCall {
  /// The value of the call that a Lua value most likely is.
  enum Likely {
    case argument(Int)
    case receiver
  }
}

extension UnsafeMutablePointer where Pointee == ActiveCall {
  /// Initializes `target` with the call's own value if Lua passes it on unchanged.
  /// - Returns: False: there is none that Lua's value, which `reader` stands at, could be. Nothing is
  ///   read then.
  func copyUnchanged(
    _ codec: ValueCodec, _ reader: inout LuaReader, _ likely: ActiveCall.Likely?,
    to target: UnsafeMutableRawPointer
  ) -> Bool {
    switch likely {
    case .argument(let index)? where plan.arguments.indices.contains(index):
      if copy(plan.arguments[index], codec, &reader, target) { return true }
    case .receiver?:
      if let receiver = receiverArgument, copy(receiver, codec, &reader, target) { return true }
    default: break
    }
    if let place = ActiveCall.savedResult(of: self, codec), copy(place, codec, &reader, target) {
      return true
    }
    let all = plan.arguments + [receiverArgument].compactMap(\.self)
    return all.contains { copy($0, codec, &reader, target) }
  }

  /// Initializes `target` with the call's own value if Lua returns it unchanged as the result.
  func copyUnchangedResult(
    _ codec: ValueCodec, _ reader: LuaReader, to target: UnsafeMutableRawPointer
  ) -> Bool {
    var reader = reader
    var start = reader
    if let place = ActiveCall.savedResult(of: self, codec), codec.matchesResult(&start, place) {
      codec.copy(place, to: target)
      return true
    }
    return copyUnchanged(codec, &reader, nil, to: target)
  }

  /// Initializes `target` with the call's own value if Lua returns it unchanged for a variable that
  /// the call changes.
  func copyUnchangedVariable(
    _ index: Int, _ codec: ValueCodec, _ reader: inout LuaReader,
    to target: UnsafeMutableRawPointer
  ) -> Bool {
    if let place = pointee.savedVariable(index), copy(place, codec, &reader, target) { return true }
    return plan.variables.indices.contains(index)
      && copy(plan.variables[index], codec, &reader, target)
  }

  private var plan: CallPlan { pointee.plan }

  /// The receiver of the function, if it is a value.
  private var receiverArgument: CallPlan.Argument? {
    switch plan.receiver {
    case .value(let argument): argument
    default: plan.returnedReceiver
    }
  }

  private func copy(
    _ argument: CallPlan.Argument, _ codec: ValueCodec, _ reader: inout LuaReader,
    _ target: UnsafeMutableRawPointer
  ) -> Bool {
    if argument.codec !== codec || argument.isInout && pointee.lendsVariables { return false }
    return argument.withValue(pointee.frame, scratchBytes: plan.scratchBytes) {
      copy($0, codec, &reader, target)
    }
  }

  private func copy(
    _ source: UnsafeMutableRawPointer, _ codec: ValueCodec, _ reader: inout LuaReader,
    _ target: UnsafeMutableRawPointer
  ) -> Bool {
    var read = reader
    guard codec.matches(&read, source) else { return false }
    codec.copy(source, to: target)
    reader = read
    return true
  }
}
