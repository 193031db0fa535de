// SPDX-License-Identifier: MIT

private func nested(_ value: Int??) -> Int?? { value }
private func outer(_ value: String???) -> Int {
  switch value {
  case .none: 0
  case .some(.none): 1
  case .some(.some(.none)): 2
  case .some(.some(.some)): 3
  }
}
private func optionals(_ a: Int8?, _ b: Double?, _ c: Purse?, _ d: Point?) -> (
  Int8?, Double?, Purse?, Point?
) { (a, b, c, d) }
private func labelled(_ pair: (x: Int, y: String)) -> (y: String, x: Int) { (pair.y, pair.x) }
private func deep(_ tuple: (Int, (String, (Bool, Double)))) -> ((Double, Bool), (String, Int)) {
  ((tuple.1.1.1, tuple.1.1.0), (tuple.1.0, tuple.0))
}
private func wide(_ tuple: (Int, Int, Int, Int, Int, Int)) -> (Int, Int, Int, Int, Int, Int) {
  (tuple.5, tuple.4, tuple.3, tuple.2, tuple.1, tuple.0)
}
private func optionalTuple(_ tuple: (Int, String)?) -> (String, Int)? { tuple.map { ($0.1, $0.0) } }
private func void(_ value: Void) { value }
private func voids(_ number: Int, _ value: (), _ other: (Void, Int)) -> (Void, Int) {
  ((), number + other.1)
}
private func optionalVoid(_ value: Void?) -> Bool { value == nil }
private func range(_ range: Range<Int>) -> ClosedRange<Int> { range.lowerBound...range.upperBound }
private func from(_ range: PartialRangeFrom<Int>) -> Int { range.lowerBound }
private func upTo(_ range: PartialRangeUpTo<Double>) -> PartialRangeThrough<Double> {
  ...range.upperBound
}
private func texts(_ range: ClosedRange<String>) -> Bool { range.contains("b") }
private func floats(_ range: Range<Float>) -> Range<Float> {
  (range.lowerBound + 1)..<(range.upperBound + 1)
}
private func stride(_ stride: StrideTo<Int>) -> [Int] { Array(stride) }
private func result(_ result: Result<Int, ShelfError>) -> Result<String, ShelfError> {
  result.map { "\($0)" }
}
private func results(_ text: String) -> Result<Int, any Error> { Result { try parse(text) } }
private func parse(_ text: String) throws -> Int {
  guard let number = Int(text) else { throw ShelfError.missing(text) }
  return number
}
private func vector(_ vector: SIMD4<Float>) -> SIMD4<Float> { vector * 2 }
private func bytes(_ vector: SIMD2<Int32>, _ other: SIMD8<UInt8>) -> (SIMD8<UInt8>, SIMD2<Int32>) {
  (other &+ 1, vector &* 2)
}
private func doubles(_ vector: SIMD2<Double>) -> Double { vector.sum() }
private func duration(_ duration: Duration) -> Duration { duration * 2 }
private func never(_ never: Never?) -> Bool { never == nil }
private func fails(_ text: String) throws -> Never { throw ShelfError.missing(text) }
private func identifier(_ purse: Purse, _ id: ObjectIdentifier) -> Bool {
  ObjectIdentifier(purse) == id
}
private func hashed(_ number: Int, into hasher: inout Hasher) { hasher.combine(number) }

struct Options: OptionSet {
  let rawValue: UInt8
  static let bold = Options(rawValue: 1)
  static let wide = Options(rawValue: 4)
  func toggled(_ other: Options) -> Options { symmetricDifference(other) }
  var names: [String] {
    [contains(.bold) ? "bold" : nil, contains(.wide) ? "wide" : nil].compactMap { $0 }
  }
}
private func all(_ options: Options, _ more: Options?) -> Options { options.union(more ?? []) }

func runShapes(_ say: Say) {
  say(
    "nested \(nested(5) == .some(.some(5))) \(nested(.some(nil)) == .some(nil)) \(nested(nil) == nil)"
  )
  say("outer \(outer(nil)) \(outer(.some(nil))) \(outer(.some(.some(nil)))) \(outer("x"))")
  let purse = Purse(cents: 1)
  let all4 = optionals(-1, 0.5, purse, Point(1, 2))
  let none = optionals(nil, nil, nil, nil)
  say(
    "optionals \(all4.0!) \(all4.1!) \(all4.2 === purse) \(all4.3!) \(none.0 == nil && none.3 == nil)"
  )
  say(
    "tuples \(labelled((x: 1, y: "y"))) \(deep((1, ("s", (true, 2.5))))) \(wide((1, 2, 3, 4, 5, 6)))"
  )
  say(
    "optional \(optionalTuple((1, "a"))!) \(optionalTuple(nil) == nil) \(void(())) \(voids(1, (), ((), 2)).1)"
  )
  say("void \(optionalVoid(())) \(optionalVoid(nil))")
  say("ranges \(range(1..<4)) \(from(3...)) \(upTo(..<2.5)) \(texts("a"..."c")) \(floats(0..<1))")
  say("stride \(stride(Swift.stride(from: 0, to: 6, by: 2)))")
  say(
    "results \(result(.success(1))) \(result(.failure(.missing("r")))) \(results("7")) \(results("q"))"
  )
  say(
    "simd \(vector([1, 2, 3, 4])) \(bytes([1, -2], [1, 2, 3, 4, 5, 6, 7, 255])) \(doubles([0.5, 1]))"
  )
  say(
    "duration \(duration(.milliseconds(1500))) \(never(nil)) \(identifier(purse, ObjectIdentifier(purse)))"
  )
  do { try fails("f") } catch { say("error \(error)") }
  var left = Hasher()
  var right = Hasher()
  hashed(3, into: &left)
  right.combine(3)
  say("hashed \(left.finalize() == right.finalize())")
  let options: Options = [.bold]
  say(
    "options \(options.toggled([.bold, .wide]).names) \(all(options, .wide).rawValue) \(all([], nil).names)"
  )
}
