// SPDX-License-Identifier: MIT

private func read(_ pointer: UnsafePointer<Int>) -> Int { pointer.pointee }
private func write(_ pointer: UnsafeMutablePointer<Int>, _ value: Int) { pointer.pointee += value }
private func sum(_ buffer: UnsafeBufferPointer<Int>) -> Int { buffer.reduce(0, +) }
private func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
  for index in buffer.indices { buffer[index] = UInt8(index) }
  return buffer.count
}
private func raw(_ buffer: UnsafeRawBufferPointer) -> [UInt8] { Array(buffer) }
private func rawSlice(_ slice: Slice<UnsafeRawBufferPointer>) -> Int {
  slice.startIndex + slice.count
}
private func address(_ pointer: UnsafeRawPointer?) -> Bool { pointer == nil }
private func advanced(_ pointer: UnsafeMutableRawPointer, _ count: Int) -> UnsafeMutableRawPointer {
  pointer + count
}
private func opaque(_ pointer: OpaquePointer?) -> OpaquePointer? { pointer }
private func unmanaged(_ reference: Unmanaged<Purse>) -> Int {
  reference.takeUnretainedValue().total()
}
private func chars(_ pointer: UnsafePointer<CChar>) -> String { String(cString: pointer) }
private func span(_ span: Span<Int>) -> Int { span.count + span[0] }

func runPointers(_ say: Say) {
  var number = 4
  say("read \(read(&number))")
  write(&number, 3)
  var bytes = [UInt8](repeating: 9, count: 4)
  let count = bytes.withUnsafeMutableBufferPointer { fill($0) }
  say("write \(number) \([1, 2].withUnsafeBufferPointer { sum($0) }) \(count) \(bytes)")
  say("raw \(bytes.withUnsafeBytes { raw($0) }) \(bytes.withUnsafeBytes { rawSlice($0[1..<3]) })")
  say("address \(address(nil)) \(withUnsafePointer(to: number) { address($0) })")
  let moved = bytes.withUnsafeMutableBytes { advanced($0.baseAddress!, 2) - $0.baseAddress! }
  let purse = Purse(cents: 8)
  say("moved \(moved) \(opaque(nil) == nil) \(unmanaged(.passUnretained(purse)))")
  say("chars \(chars("text")) \(span([5, 6].span))")
}
