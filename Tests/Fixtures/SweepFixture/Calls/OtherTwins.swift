// SPDX-License-Identifier: MIT

/// The other of two private types of the same name.
private struct Twin {
  var number: Double
  func name() -> String { "second \(number)" }
  mutating func rename(_ number: Double) { self.number = number * 2 }
}

private final class TwinObject {
  private let live = Live("TwinObject")
  var number = 10.0
  func add(_ other: Int) -> Double { number * Double(other) }
}

private func twin(_ number: Double) -> Twin { Twin(number: number) }

func runOtherTwins(_ say: Say) {
  var value = twin(1)
  value.rename(4.5)
  say("other \(value.name()) \(TwinObject().add(3))")
}
