// SPDX-License-Identifier: MIT

private func next(_ number: Int8) -> Int8 { number &+ 1 }
private func next(_ number: UInt8) -> UInt8 { number &+ 1 }
private func next(_ number: Int16) -> Int16 { number &+ 1 }
private func next(_ number: UInt16) -> UInt16 { number &+ 1 }
private func next(_ number: Int32) -> Int32 { number &+ 1 }
private func next(_ number: UInt32) -> UInt32 { number &+ 1 }
private func next(_ number: Int64) -> Int64 { number &+ 1 }
private func next(_ number: UInt64) -> UInt64 { number &+ 1 }
private func next(_ number: UInt) -> UInt { number &+ 1 }
private func next(_ number: Int128) -> Int128 { number &+ 1 }
private func next(_ number: UInt128) -> UInt128 { number &+ 1 }
private func smallest(_ numbers: [Int8]) -> Int8? { numbers.min() }
private func bytes(_ bytes: [UInt8]) -> [UInt8] { bytes.reversed() }
private func words(_ words: [UInt64]) -> [UInt64] { words.map { ~$0 } }
private func big(_ number: Int128?) -> [Int128] { number.map { [$0, -$0] } ?? [] }
private func bits(_ flag: Bool, _ flags: (Bool, Bool, Bool)) -> [Bool] {
  [!flag, flags.2, flags.1, flags.0]
}
private func optionalFlag(_ flag: Bool?) -> Bool? { flag.map { !$0 } }
private func narrow(_ a: Int8, _ b: UInt16, _ c: Int32, _ d: Bool, _ e: UInt8) -> (
  UInt8, Bool, Int32, UInt16, Int8
) { (e, d, c, b, a) }

private func half(_ number: Float) -> Float { number / 2 }
private func half(_ number: Double) -> Double { number / 2 }
private func half(_ number: Float16) -> Float16 { number / 2 }
private func same(_ number: Double) -> Double { number }
private func same(_ number: Float) -> Float { number }
private func same(_ number: Float16) -> Float16 { number }
private func many(_ a: Float, _ b: Double, _ c: Float16) -> (Float16, Float, Double) { (c, a, b) }
private func numbers(_ list: [Float]) -> [Float] { list.map { -$0 } }
private func maybe(_ number: Double?) -> Double? { number.map { -$0 } }
private func maybe(_ number: Float?) -> Float? { number.map { -$0 } }

func runIntegers(_ say: Say) {
  say(
    "signed \(next(Int8.max)) \(next(Int16.max)) \(next(Int32.max)) \(next(Int64.max)) \(next(Int64(-1)))"
  )
  say(
    "unsigned \(next(UInt8.max)) \(next(UInt16.max)) \(next(UInt32.max)) \(next(UInt64.max - 1)) \(next(UInt.max))"
  )
  say("wide \(next(Int128.max)) \(next(UInt128.max - 1)) \(next(Int128(-5))) \(next(UInt128(7)))")
  say(
    "lists \(smallest([3, -128]) ?? 0) \(smallest([]) == nil) \(bytes([0, 255, 10])) \(words([0, .max]))"
  )
  say("big \(big(Int128.max)) \(big(nil)) \(big(2)) \(bits(true, (true, false, true)))")
  say("flags \(String(describing: optionalFlag(true))) \(optionalFlag(nil) == nil)")
  say("narrow \(narrow(-1, .max, .min, true, 200))")
}

func runFloats(_ say: Say) {
  say("half \(half(Float(0.3))) \(half(0.3)) \(half(Float16(0.3))) \(half(-Double.infinity))")
  let nan = Double(bitPattern: 0x7ff8_dead_beef_0001)
  let signaling = Double(bitPattern: 0x7ff0_0000_0000_0001)
  say(
    "nan \(same(nan).bitPattern) \(same(signaling).bitPattern) \(same(-0.0).sign) \(same(Double.leastNonzeroMagnitude))"
  )
  let small = Float(bitPattern: 0xffc0_1234)
  say(
    "nan \(same(small).bitPattern) \(same(-Float.zero).sign) \(same(Float.greatestFiniteMagnitude))"
  )
  say(
    "half \(same(Float16(bitPattern: 0x7e01)).bitPattern) \(same(-Float16.zero).sign) \(same(Float16.leastNonzeroMagnitude))"
  )
  say("many \(many(0.1, 0.2, 0.3)) \(numbers([0.1, -0.0])) \(maybe(nil as Double?) == nil)")
  say(
    "maybe \(maybe(0.0)?.sign == .minus) \(String(describing: maybe(Float(1.1)))) \(maybe(nil as Float?) == nil)"
  )
}
