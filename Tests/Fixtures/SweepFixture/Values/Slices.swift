// SPDX-License-Identifier: MIT

import Foundation

private func tail(_ list: [Int]) -> ArraySlice<Int> { list.dropFirst(2) }
private func trimmed(_ slice: ArraySlice<String>) -> ArraySlice<String> {
  slice.dropFirst().dropLast()
}
private func indices(_ slice: ArraySlice<Int>) -> (Int, Int) { (slice.startIndex, slice.endIndex) }
private func sliced(_ slice: Slice<Repeated<Int>>) -> Slice<Repeated<Int>> { slice.dropFirst() }
private func buffer(_ list: [Int]) -> ContiguousArray<Int> { ContiguousArray(list.sorted()) }
private func bytes(_ slice: ArraySlice<UInt8>) -> ArraySlice<UInt8> { slice.dropLast() }
private func put(_ slice: inout ArraySlice<Int>, _ value: Int) { slice[slice.startIndex] = value }
private func data(_ data: Data) -> Data { data.dropFirst() }
private func start(_ data: Data) -> Int { data.startIndex }
private func append(_ data: inout Data, _ byte: UInt8) { data.append(byte) }
private func ranges(_ list: [Int]) -> [ArraySlice<Int>] { list.split(separator: 0) }
private func keys(_ slice: Dictionary<String, Int>.SubSequence) -> [String] {
  slice.map(\.key).sorted()
}
private func reversed(_ list: [Int]) -> ReversedCollection<[Int]> { list.reversed() }
private func lazily(_ list: [Int]) -> LazyMapSequence<[Int], Int> { list.lazy.map { $0 * 2 } }
private func flipped(_ slice: Slice<ReversedCollection<[Int]>>) -> Int { slice.first ?? -1 }

func runSlices(_ say: Say) {
  let list = Array(10..<20)
  say(
    "tail \(tail(list).startIndex) \(tail(list)[4]) \(indices(list[3..<5])) \(indices(tail(list)))")
  let words = ["a", "b", "c", "d"][1...]
  say("trimmed \(trimmed(words)) \(trimmed(words).startIndex) \(trimmed(words[2...]).endIndex)")
  let repeated = repeatElement(7, count: 5)
  say("sliced \(sliced(repeated[1..<4]).startIndex) \(Array(sliced(repeated[2..<4])))")
  let slice: ArraySlice<UInt8> = [1, 2, 3, 4][2...]
  say("bytes \(bytes(slice)) \(bytes(slice).startIndex) \(buffer([3, 1])) \(type(of: buffer([])))")
  var part = list[5..<8]
  put(&part, 0)
  say("part \(part) \(part.startIndex) \(list[5]) \(ranges([1, 0, 2, 3]).map(\.startIndex))")
  let raw = Data([1, 2, 3, 4, 5])[2...]
  var more = raw
  append(&more, 9)
  say(
    "data \(data(raw).startIndex) \(Array(data(raw))) \(start(raw)) \(more.startIndex) \(more.count)"
  )
  let table = ["x": 1]
  say("keys \(keys(table[table.startIndex..<table.endIndex])) \(reversed([1, 2]).map { $0 })")
  say("lazy \(Array(lazily([1, 2]))) \(flipped([1, 2, 3].reversed().dropFirst()))")
}
