// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// A variable that a closure has captured, and how its value is found in a context.
struct CapturedVariable: Sendable {
  /// What a value is, and where.
  enum Content {
    case value(ValueCodec, Place)
    /// The value of a type without a size, which no context has.
    case empty(ValueCodec)
    /// The value cannot be read, for this reason.
    case unreadable(String)
  }

  struct Place {
    /// From the context's beginning; nil: the context is the value.
    let offset: Int?
    /// Whether the value is in a box, which the context refers to.
    let isBoxed: Bool
    let holding: DescribedClosure.Variable.Holding
  }

  /// Its name in the source; nil: nothing tells.
  let name: String?
  /// Its type for messages; nil: nothing tells.
  let typeName: String?
  let content: Content

  /// Writes the value in a context for Lua.
  /// - Returns: The reason why there is none; nil: it is written.
  func push(_ context: UnsafeRawPointer?, _ writer: LuaWriter) -> String? {
    switch content {
    case .unreadable(let reason): return reason
    case .empty(let codec): codec.push(ValueBox.nowhere, writer)
    case .value(let codec, let place):
      guard let context else { return "the call came without what the closure has captured" }
      return Self.push(codec, place, context, writer)
    }
    return nil
  }

  private static func push(
    _ codec: ValueCodec, _ place: Place, _ context: UnsafeRawPointer, _ writer: LuaWriter
  ) -> String? {
    guard let offset = place.offset else {
      withUnsafePointer(to: context) { codec.push(UnsafeRawPointer($0), writer) }
      return nil
    }
    var memory = context + offset
    if place.isBoxed {
      guard let contents = boxed(memory.load(as: UnsafeRawPointer.self)) else {
        return "its box is of a kind that is not known"
      }
      memory = contents
    }
    if place.holding == .strong {
      codec.push(memory, writer)
      return nil
    }
    return pushReference(codec, place.holding, memory, writer)
  }

  /// The contents of a box, `{ metadata, reference counts, contents }`.
  private static func boxed(_ box: UnsafeRawPointer) -> UnsafeRawPointer? {
    let metadata = box.load(as: UnsafeRawPointer.self)
    let kind = metadata.load(as: Int.self)
    guard kind == CapturedContext.kind || kind == CapturedContext.genericKind else { return nil }
    return box + Int(metadata.load(fromByteOffset: 8, as: UInt32.self))
  }

  /// Writes a value whose first word refers to an object that may be gone.
  private static func pushReference(
    _ codec: ValueCodec, _ holding: DescribedClosure.Variable.Holding, _ memory: UnsafeRawPointer,
    _ writer: LuaWriter
  ) -> String? {
    let word = memory.load(as: UnsafeMutableRawPointer?.self)
    let object: UnsafeMutableRawPointer?
    if holding == .weak {
      object = wax_abi_weak_load(UnsafeMutableRawPointer(mutating: memory))
    } else {
      object = word.flatMap { wax_abi_try_retain($0) }
      if word != nil, object == nil { return "it is unowned, and its object is gone" }
    }
    defer { if let object { ObjectReference.release(object) } }
    withUnsafeTemporaryAllocation(byteCount: codec.size, alignment: codec.alignment) { copy in
      copy.copyMemory(from: UnsafeRawBufferPointer(start: memory, count: codec.size))
      copy.storeBytes(of: object, as: UnsafeMutableRawPointer?.self)
      if let start = copy.baseAddress { codec.push(start, writer) }
    }
    return nil
  }
}

extension CapturedVariable {
  /// `limit: Int`, and the reason if the value cannot be read.
  var text: String {
    let text = [name ?? "", typeName ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
    guard case .unreadable(let reason) = content else { return text }
    return (text.isEmpty ? "a value" : text) + " (\(reason))"
  }
}
