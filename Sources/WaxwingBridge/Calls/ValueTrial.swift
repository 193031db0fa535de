// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua
internal import WaxwingValues

/// Tries whether values from Lua are ones of a call: they are converted, and the outcome thrown away.
package final class ValueTrial {
  private let plan: CallPlan
  /// The values that were made and must be destroyed. Not before the end: deinitializers may run,
  /// which must not happen while strings that only a table holds are still to be read.
  private var made: [(codec: ValueCodec, place: UnsafeMutableRawPointer)] = []

  package init(_ plan: CallPlan) {
    self.plan = plan
  }

  /// - Precondition: The state is left.
  package func end() {
    for (codec, place) in made {
      codec.destroy(place)
      place.deallocate()
    }
    made = []
  }

  /// - Parameter reader: Stands at the first argument; there may be fewer than the function takes.
  /// - Returns: The problem; nil if there is none.
  package func arguments(_ reader: inout LuaReader) -> String? {
    for argument in plan.arguments {
      if reader.isAtEnd { return nil }
      if let error = fault(argument, &reader) {
        return "a wrong value for \(argument.name): \(error)"
      }
    }
    if reader.isAtEnd { return nil }
    let count = plan.arguments.count
    return "more values than the function has arguments (\(count))"
  }

  /// - Parameter reader: Stands at the result, or at the first of several; `inout` arguments
  ///   follow.
  /// - Returns: The problem; nil if there is none.
  package func result(_ reader: inout LuaReader) -> String? {
    if let codec = plan.result {
      do throws(ConversionError) {
        try convert(codec, &reader) { codec, reader, place throws(ConversionError) in
          try codec.readResult(&reader, into: place)
        }
      } catch {
        return "a wrong result: \(error)"
      }
    }
    for argument in plan.inouts {
      if reader.isAtEnd { return nil }
      if let error = fault(argument, &reader) {
        return "a wrong value for \(argument.name) (inout): \(error)"
      }
    }
    return nil
  }

  private func fault(
    _ argument: CallPlan.Argument, _ reader: inout LuaReader
  ) -> ConversionError? {
    do throws(ConversionError) {
      try convert(argument.codec, &reader) { codec, reader, place throws(ConversionError) in
        try codec.read(&reader, into: place)
      }
      return nil
    } catch {
      return error
    }
  }

  private func convert(
    _ codec: ValueCodec, _ reader: inout LuaReader,
    _ read: (ValueCodec, inout LuaReader, UnsafeMutableRawPointer) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    let place = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    do throws(ConversionError) {
      try read(codec, &reader, place)
    } catch {
      place.deallocate()
      throw error
    }
    made.append((codec, place))
  }
}
