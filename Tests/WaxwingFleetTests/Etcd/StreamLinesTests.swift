// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingFleet

@Suite struct StreamLinesTests {
  @Test func `blank lines are passed over, and what is behind them is not left lying`() {
    var lines = StreamLines()
    lines.append(Array("\n \r\none\n\n\ntwo\nthr".utf8))
    #expect(lines.next() == Array("one".utf8))
    #expect(lines.next() == Array("two".utf8))
    #expect(lines.next() == nil)
    lines.append(Array("ee\n".utf8))
    #expect(lines.next() == Array("three".utf8))
    #expect(lines.next() == nil)
    #expect(lines.rest.isEmpty)
  }
}
