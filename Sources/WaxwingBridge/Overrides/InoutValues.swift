// SPDX-License-Identifier: MIT

internal import WaxwingLua
internal import WaxwingValues

/// New values for what a call changes of its caller's, its `inout` arguments and perhaps its receiver,
/// until they are all there and can be assigned.
final class InoutValues {
  private let arguments: [CallPlan.Argument]
  private let boxes: [UnsafeMutableRawPointer]
  private var isInitialized: [Bool]

  init(_ arguments: [CallPlan.Argument]) {
    self.arguments = arguments
    boxes = arguments.map {
      ValueBox.allocate(size: $0.codec.size, alignment: $0.codec.alignment)
    }
    isInitialized = arguments.map { _ in false }
  }

  deinit {
    for index in boxes.indices {
      if isInitialized[index] { arguments[index].codec.destroy(boxes[index]) }
      boxes[index].deallocate()
    }
  }

  func copy(_ source: UnsafeRawPointer, at index: Int) {
    arguments[index].codec.copy(source, to: boxes[index])
    isInitialized[index] = true
  }

  /// Initializes the value at `index` with what `read` puts into its memory.
  func initialize<Failure: Error>(
    _ index: Int, _ read: (ValueCodec, UnsafeMutableRawPointer) throws(Failure) -> Void
  ) throws(Failure) {
    try read(arguments[index].codec, boxes[index])
    isInitialized[index] = true
  }

  /// The value at `index`; nil: it is not known.
  func value(at index: Int) -> UnsafeMutableRawPointer? {
    isInitialized[index] ? boxes[index] : nil
  }

  /// Copies the values that are missing here from `others`.
  func fill(from others: InoutValues) {
    for index in boxes.indices where !isInitialized[index] && others.isInitialized[index] {
      copy(others.boxes[index], at: index)
    }
  }

  /// Swaps the values with those of the caller's variables, whose old ones go with this object.
  func exchange(_ variable: (CallPlan.Argument) -> UnsafeMutableRawPointer) {
    for (index, argument) in arguments.enumerated() where isInitialized[index] {
      argument.codec.swap(variable(argument), boxes[index])
    }
  }
}

extension InoutValues {
  /// Reads the values that a Lua function returned for the variables, after its result.
  /// - Parameters:
  ///   - count: How many values it returned.
  ///   - required: How many of them it has to return; without it, all.
  ///   - active: Of an override's call.
  /// - Returns: nil if there are none.
  static func read(
    _ arguments: [CallPlan.Argument], after result: ValueCodec?, from coroutine: LuaCoroutine,
    _ count: Int,
    required: Int? = nil, in active: UnsafeMutablePointer<ActiveCall>? = nil
  ) throws(ConversionError) -> InoutValues? {
    if arguments.isEmpty { return nil }
    let results = result?.resultCount ?? 0
    let expected = results + (required ?? arguments.count)
    guard count >= expected else {
      throw ConversionError(
        expected: "\(expected) values (\(results > 0 ? "the result, then " : "")its `inout` "
          + "arguments in order)", found: "\(count)")
    }
    var reader = coroutine.reader
    for _ in 0..<results { reader.skip() }
    let values = InoutValues(arguments)
    for (index, argument) in arguments.enumerated() where results + index < count {
      do throws(ConversionError) {
        try values.initialize(index) { codec, place throws(ConversionError) in
          if let lent = LentValue(reader.peeked) {
            reader.skip()
            return lent.copy(codec, to: place)
          }
          // A receiver that is not changed stays the one that it was: the original may have consumed it.
          if codec.isRebuilt || required.map({ index >= $0 }) == true,
            active?.copyUnchangedVariable(index, codec, &reader, to: place) == true
          {
            return
          }
          try codec.read(&reader, into: place)
        }
      } catch {
        throw error.at(.key(argument.name == "self" ? "self" : "\(argument.name) (inout)"))
      }
    }
    return values
  }
}
