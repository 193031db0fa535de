// SPDX-License-Identifier: MIT

private func described<each T>(all values: repeat each T) -> [String] {
  var texts: [String] = []
  repeat texts.append(String(describing: each values))
  return texts
}

private func tupled<each T>(_ values: repeat each T) -> (repeat each T) { (repeat each values) }

private func counted<each T: Collection>(_ values: repeat each T) -> Int {
  var count = 0
  repeat count += (each values).count
  return count
}

/// A generic type with a pack.
struct Row<each Column> {
  let columns: (repeat each Column)
  init(_ columns: repeat each Column) { self.columns = (repeat each columns) }
  func texts() -> [String] {
    var texts: [String] = []
    repeat texts.append(String(describing: each columns))
    return texts
  }
}

/// A type with an integer as generic parameter.
struct Vec<let N: Int> {
  var values: [Int]
  init(filling value: Int) { values = Array(repeating: value, count: N) }
  func dimension() -> Int { N }
  mutating func scale(by factor: Int) { values = values.map { $0 * factor } }
  func dot(_ other: Vec<N>) -> Int { zip(values, other.values).reduce(0) { $0 + $1.0 * $1.1 } }
}

private func ring() -> InlineArray<3, Int> { [1, 2, 3] }
private func sum(_ array: InlineArray<3, Int>) -> Int {
  var sum = 0
  for index in array.indices { sum += array[index] }
  return sum
}
private func put(_ array: inout InlineArray<3, Int>, _ value: Int) { array[1] = value }
private func names() -> InlineArray<2, String> { ["a", "b"] }
private func last<let N: Int>(_ array: InlineArray<N, Double>) -> Double { array[N - 1] }

struct Matrix {
  var rows: InlineArray<2, InlineArray<2, Int>>
  func trace() -> Int { rows[0][0] + rows[1][1] }
}

func runPacksAndValues(_ say: Say) {
  say("packs \(described(all: 1, "a", 2.5)) \(described(all: Point(1, 2))) \(counted([1], "abc"))")
  let (number, text) = tupled(4, "t")
  say("tupled \(number) \(text) \(Row(1, "r", true).texts())")
  var vec = Vec<3>(filling: 2)
  vec.scale(by: 5)
  say(
    "vec \(vec.dimension()) \(vec.values) \(vec.dot(Vec(filling: 1))) \(Vec<0>(filling: 1).dimension())"
  )
  var array = ring()
  put(&array, 40)
  let texts = names()
  say("inline \(sum(array)) \(texts[0])\(texts[1]) \(last([1.5, 2.5]))")
  say("matrix \(Matrix(rows: [[1, 2], [3, 4]]).trace())")
}
