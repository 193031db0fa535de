// SPDX-License-Identifier: MIT

private func defaults(_ a: Int = 1, b: String = "b", _ c: [Int] = [3], d: Purse? = nil) -> String {
  "\(a) \(b) \(c) \(d?.total() ?? -1)"
}
private func computed(_ a: Int, _ b: Int = defaultCount(), line: UInt = #line) -> Int {
  a + b * 10 + (line > 0 ? 0 : 1)
}
private func defaultCount() -> Int { 4 }
private func octets(_ octets: UInt8...) -> [UInt8] { octets.reversed() }
private func variadic(_ numbers: Int...) -> Int { numbers.reduce(0, +) }
private func variadics(_ a: String..., b: Double..., c: Any...) -> String {
  "\(a) \(b) \(c.map { type(of: $0) })"
}
private func integers(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int
) -> [Int] { [h, g, f, e, d, c, b, a] }
private func small(
  _ a: Int8, _ b: UInt8, _ c: Int16, _ d: UInt16, _ e: Int32, _ f: UInt32, _ g: Int8, _ h: Bool,
  _ i: UInt16
) -> String {
  "\(a) \(b) \(c) \(d) \(e) \(f) \(g) \(h) \(i)"
}
private func doubles(
  _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double, _ g: Double,
  _ h: Double,
  _ i: Double, _ j: Float
) -> [Double] { [Double(j), i, h, g, f, e, d, c, b, a] }
private func mixed(
  _ a: Int, _ b: Double, _ c: String, _ d: Float, _ e: Point, _ f: Mixed, _ g: Purse, _ h: [Int],
  _ i: Bool?,
  _ j: Sheet, _ k: Double, _ l: (Int, Float), _ m: (Int) -> Int, _ n: Any
) -> String {
  "\(a) \(b) \(c) \(d) \(e) \(f.count) \(g.total()) \(h) \(i == nil) \(j.sum()) \(k) \(l) \(m(3)) \(n)"
}
private func wideResult(_ number: Int) -> (Int, Double, Int, Double, String) {
  (number, 0.5, -number, 1.5, "\(number)")
}
private func fourDoubles(_ a: Double) -> (Double, Double, Double, Double) {
  (a, a + 1, a + 2, a + 3)
}
private func fiveDoubles(_ a: Double) -> (Double, Double, Double, Double, Double) {
  (a, a + 1, a + 2, a + 3, a + 4)
}
private func throwingWide(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: String)
  throws -> (String, Int, Int)
{
  if a == 0 { throw ShelfError.missing(g) }
  return (g, b + c + d, e + f)
}
private func stackGeneric<T>(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: T, _ f: T, _ g: [T]) -> (
  T, T
) { (f, g.last ?? e) }
private func outAndIn(
  _ a: inout Int, _ b: Int, _ c: inout String, _ d: inout Double, _ e: Int, _ f: Int,
  _ g: inout [Int], _ h: inout Purse
) -> Int {
  a += b
  c += "\(d)"
  d = Double(e)
  g.append(f)
  h = Purse(cents: a)
  return g.count
}
private func untouched(_: Int, _: String) -> Int { 5 }
private func labelled(of a: Int, in b: Int, for c: Int, `default` d: Int) -> Int {
  a * 1000 + b * 100 + c * 10 + d
}

func runArguments(_ say: Say) {
  say(
    "defaults \(defaults()) | \(defaults(2, b: "x", [], d: Purse(cents: 1))) | \(computed(1)) \(computed(1, 2))"
  )
  say(
    "variadic \(variadic()) \(variadic(1, 2, 3)) \(variadics("a", "b", b: 0.5, c: Int8(1), "t")) \(variadics())"
  )
  say(
    "integers \(integers(1, 2, 3, 4, 5, 6, 7, 8)) \(small(-1, 255, -2, .max, .min, .max, 3, true, 9))"
  )
  say("doubles \(doubles(1, 2, 3, 4, 5, 6, 7, 8, 9, 0.1))")
  let mix = Mixed(count: 4, ratio: 1, flag: false, small: 2)
  say(
    "mixed \(mixed(1, 2, "3", 4, Point(5, 5), mix, Purse(cents: 7), [8], nil, Sheet(), 9, (1, 2), { $0 * 2 }, Int8(1)))"
  )
  say("wide \(wideResult(4)) \(fourDoubles(1)) \(fiveDoubles(1))")
  do {
    say("throwing \(try throwingWide(1, 2, 3, 4, 5, 6, "g"))")
    _ = try throwingWide(0, 2, 3, 4, 5, 6, "h")
  } catch {
    say("error \(error)")
  }
  say(
    "generic \(stackGeneric(1, 2, 3, 4, "e", "f", ["g"])) \(stackGeneric(1, 2, 3, 4, 0.5, 1, []))")
  var a = 1
  var c = "c"
  var d = 0.5
  var g = [1]
  var h = Purse()
  say("inout \(outAndIn(&a, 2, &c, &d, 5, 6, &g, &h)) \(a) \(c) \(d) \(g) \(h.total())")
  say("octets \(octets(1, 2, 250)) \(octets())")
  say("labels \(untouched(1, "2")) \(labelled(of: 1, in: 2, for: 3, default: 4))")
}
