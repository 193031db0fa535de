// SPDX-License-Identifier: MIT

/// One of two private types of the same name, in different files.
private struct Twin {
  var text: String
  func name() -> String { "first \(text)" }
  mutating func rename(_ text: String) { self.text = text + "1" }
}

private final class TwinObject {
  private let live = Live("TwinObject")
  var number = 1
  func add(_ other: Int) -> Int { number + other }
}

private func twin(_ text: String) -> Twin { Twin(text: text) }

func runTwins(_ say: Say) {
  var value = twin("a")
  value.rename("b")
  say("twin \(value.name()) \(TwinObject().add(2))")
  runOtherTwins(say)
}
