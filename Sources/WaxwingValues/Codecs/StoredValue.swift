// SPDX-License-Identifier: MIT

package import WaxwingLua

/// A Swift value of a type that only its codec knows.
package final class StoredValue {
  private let codec: ValueCodec
  private let memory: UnsafeMutableRawPointer

  package init(_ codec: ValueCodec, _ reader: inout LuaReader) throws(ConversionError) {
    let memory = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    do throws(ConversionError) {
      try codec.read(&reader, into: memory)
    } catch {
      memory.deallocate()
      throw error
    }
    // Not before: a complete object that is not made is deinitialized.
    self.codec = codec
    self.memory = memory
  }

  deinit {
    codec.destroy(memory)
    memory.deallocate()
  }

  var any: Any {
    func load<Value>(_: Value.Type) -> Any { memory.assumingMemoryBound(to: Value.self).pointee }
    return _openExistential(codec.type, do: load)
  }

  package func push(_ writer: LuaWriter) { codec.push(memory, writer) }

  package func copy(to target: UnsafeMutableRawPointer) { codec.copy(memory, to: target) }
}
