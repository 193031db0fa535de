// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// The functions that a parameter `@autoclosure () -> T` takes. From Lua a function, as for any closure, or a value
/// of `T`: then Swift gets a closure that returns it.
/// Unchecked: immutable, like every codec.
final class AutoclosureCodec: FunctionCodec, @unchecked Sendable {
  override var autoclosureResult: ValueCodec? { plan.result }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    guard let result = plan.result else { return try super.read(&reader, into: target) }
    if reader.peeked.tag == WAX_LUA_VALUE_FUNCTION.rawValue {
      do throws(ConversionError) {
        return try super.read(&reader, into: target)
      } catch {
        throw ConversionError(
          expected: error.expected, found: "\(error.found); or pass the value itself")
      }
    }
    let value: StoredValue
    do throws(ConversionError) {
      value = try StoredValue(result, &reader)
    } catch {
      throw error.expecting("\(error.expected), or a function that returns one")
    }
    LuaClosure(returning: value, plan).value.store(at: target)
  }
}
