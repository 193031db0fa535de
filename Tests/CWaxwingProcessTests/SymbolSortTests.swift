// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Glibc
import SeededRandom
import Testing

/// Symbols in the order of their names, those of one name in that of the names in memory.
@Suite struct SymbolSortTests {
  private static func sorted(_ names: [String]) -> [(name: String, place: Int)] {
    let starts = names.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.utf8.count + 1) }
    var text = names.flatMap { Array($0.utf8CString) }
    return text.withUnsafeMutableBufferPointer { text in
      guard let base = text.baseAddress else { return [] }
      var symbols = names.indices.map { index in
        wax_process_symbol(
          name: base + starts[index], length: UInt32(names[index].utf8.count), is_function: false,
          is_private: false, address: UInt(index), size: 0)
      }
      symbols.withUnsafeMutableBufferPointer { wax_process_symbols_sort($0.baseAddress, $0.count) }
      return symbols.map { (String(cString: $0.name), Int($0.address)) }
    }
  }

  private static func expected(_ names: [String]) -> [(name: String, place: Int)] {
    names.enumerated().sorted { left, right in
      let order = strcmp(left.element, right.element)
      return order == 0 ? left.offset < right.offset : order < 0
    }.map { ($0.element, $0.offset) }
  }

  private func expectSorted(_ names: [String]) {
    let (found, expected) = (Self.sorted(names), Self.expected(names))
    #expect(found.map(\.name) == expected.map(\.name))
    #expect(found.map(\.place) == expected.map(\.place))
  }

  @Test(arguments: TestSeed.each(0...39))
  func `random names that begin alike`(seed: TestSeed) {
    var generator = seed.generator
    func random(_ bound: Int) -> Int { .random(in: 0..<bound, using: &generator) }
    let stems = (0..<8).map { String(repeating: ["a", "ab", "\u{7f}"][$0 % 3], count: $0 * 3) }
    let names = (0..<Int(seed.value % 40 * 40)).map { _ in
      stems[random(8)]
        + String((0..<random(10)).map { _ in ["A", "b", "\u{e9}"][random(3)] }.joined())
    }
    expectSorted(names)
  }

  @Test func `names of one length, all equal, in order and the other way round`() {
    expectSorted(Array(repeating: "12345678", count: 100))
    expectSorted(Array(repeating: "", count: 100))
    let numbers = (1000..<3000).map(String.init)
    expectSorted(numbers)
    expectSorted(numbers.reversed())
  }

  @Test func `names that differ at the end of what is too long to be split`() {
    let stem = String(repeating: "x", count: 5000)
    expectSorted((0..<200).map { stem + String($0 * 7 % 200) })
  }
}
