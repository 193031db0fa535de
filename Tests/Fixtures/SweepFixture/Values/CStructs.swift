// SPDX-License-Identifier: MIT

import CStructs

/// Bytes 1, 8, 15 and so on, of which a type's own bytes are compared: padding may change.
private func made<Value>(_: Value.Type, _ first: Int = 1) -> Value {
  withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { room in
    let bytes = UnsafeMutableRawBufferPointer(room)
    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: first + 7 * index) }
    return room[0]
  }
}

/// - Parameter own: The bytes that are no padding.
private func text<Value>(_ value: Value, _ own: [Range<Int>]) -> String {
  withUnsafeBytes(of: value) { bytes in
    own.joined().map { String(bytes[$0], radix: 16) }.joined(separator: " ")
  }
}

private func union4(_ value: Union4, _ number: Int, _ double: Double) -> Union4 {
  number == 3 && double == 2.5 ? value : made(Union4.self, 2)
}
private func union4(_ value: Union4?, _ pair: (Union4, Int8)) -> Union4? {
  pair.1 == 1 ? value : pair.0
}
private func union8(_ value: Union8, _ number: Int, _ double: Double) -> Union8 {
  number == 3 && double == 2.5 ? value : made(Union8.self, 2)
}
private func union8(_ value: Union8?, _ pair: (Union8, Int8)) -> Union8? {
  pair.1 == 1 ? value : pair.0
}
private func union16(_ value: Union16, _ number: Int, _ double: Double) -> Union16 {
  number == 3 && double == 2.5 ? value : made(Union16.self, 2)
}
private func union16(_ value: Union16?, _ pair: (Union16, Int8)) -> Union16? {
  pair.1 == 1 ? value : pair.0
}
private func endpoint(_ value: Endpoint, _ number: Int, _ double: Double) -> Endpoint {
  number == 3 && double == 2.5 ? value : made(Endpoint.self, 2)
}
private func endpoint(_ value: Endpoint?, _ pair: (Endpoint, Int8)) -> Endpoint? {
  pair.1 == 1 ? value : pair.0
}
private func leadingBits(_ value: LeadingBits, _ number: Int, _ double: Double) -> LeadingBits {
  number == 3 && double == 2.5 ? value : made(LeadingBits.self, 2)
}
private func leadingBits(_ value: LeadingBits?, _ pair: (LeadingBits, Int8)) -> LeadingBits? {
  pair.1 == 1 ? value : pair.0
}
private func trailingBits(_ value: TrailingBits, _ number: Int, _ double: Double) -> TrailingBits {
  number == 3 && double == 2.5 ? value : made(TrailingBits.self, 2)
}
private func trailingBits(_ value: TrailingBits?, _ pair: (TrailingBits, Int8)) -> TrailingBits? {
  pair.1 == 1 ? value : pair.0
}
private func bitsInPadding(_ value: BitsInPadding, _ number: Int, _ double: Double) -> BitsInPadding
{
  number == 3 && double == 2.5 ? value : made(BitsInPadding.self, 2)
}
private func bitsInPadding(_ value: BitsInPadding?, _ pair: (BitsInPadding, Int8)) -> BitsInPadding?
{ pair.1 == 1 ? value : pair.0 }
private func bitsAfterFloats(_ value: BitsAfterFloats, _ number: Int, _ double: Double)
  -> BitsAfterFloats
{
  number == 3 && double == 2.5 ? value : made(BitsAfterFloats.self, 2)
}
private func bitsAfterFloats(_ value: BitsAfterFloats?, _ pair: (BitsAfterFloats, Int8))
  -> BitsAfterFloats?
{ pair.1 == 1 ? value : pair.0 }
private func taggedUnion(_ value: TaggedUnion, _ number: Int, _ double: Double) -> TaggedUnion {
  number == 3 && double == 2.5 ? value : made(TaggedUnion.self, 2)
}
private func taggedUnion(_ value: TaggedUnion?, _ pair: (TaggedUnion, Int8)) -> TaggedUnion? {
  pair.1 == 1 ? value : pair.0
}
private func numberAndUnion(_ value: NumberAndUnion, _ number: Int, _ double: Double)
  -> NumberAndUnion
{
  number == 3 && double == 2.5 ? value : made(NumberAndUnion.self, 2)
}
private func numberAndUnion(_ value: NumberAndUnion?, _ pair: (NumberAndUnion, Int8))
  -> NumberAndUnion?
{ pair.1 == 1 ? value : pair.0 }
private func paddedDouble(_ value: PaddedDouble, _ number: Int, _ double: Double) -> PaddedDouble {
  number == 3 && double == 2.5 ? value : made(PaddedDouble.self, 2)
}
private func paddedDouble(_ value: PaddedDouble?, _ pair: (PaddedDouble, Int8)) -> PaddedDouble? {
  pair.1 == 1 ? value : pair.0
}
private func paddedFloat(_ value: PaddedFloat, _ number: Int, _ double: Double) -> PaddedFloat {
  number == 3 && double == 2.5 ? value : made(PaddedFloat.self, 2)
}
private func paddedFloat(_ value: PaddedFloat?, _ pair: (PaddedFloat, Int8)) -> PaddedFloat? {
  pair.1 == 1 ? value : pair.0
}
private func text(_ value: Text, _ number: Int, _ double: Double) -> Text {
  number == 3 && double == 2.5 ? value : made(Text.self, 2)
}
private func text(_ value: Text?, _ pair: (Text, Int8)) -> Text? { pair.1 == 1 ? value : pair.0 }
private func anonymous(_ value: Anonymous, _ number: Int, _ double: Double) -> Anonymous {
  number == 3 && double == 2.5 ? value : made(Anonymous.self, 2)
}
private func anonymous(_ value: Anonymous?, _ pair: (Anonymous, Int8)) -> Anonymous? {
  pair.1 == 1 ? value : pair.0
}
private func mark(_ value: inout Endpoint) { value.scope = 9 }
private func bits(_ value: BitsAfterFloats) -> UInt32 { value.bits }

extension Endpoint {
  fileprivate var low: UInt32 { scope }
  fileprivate func plus(_ other: Endpoint) -> Endpoint {
    var sum = self
    sum.scope &+= other.scope
    return sum
  }
  fileprivate mutating func move() { scope &+= 1 }
}

func runCStructs(_ say: Say) {
  say(line(text(union4(made(Union4.self), 3, 2.5), [0..<4])))
  say(line(union4(made(Union4.self), (made(Union4.self, 3), 1)).map { text($0, [0..<4]) }))
  say(line(union4(nil, (made(Union4.self, 3), 2)).map { text($0, [0..<4]) }))
  say(line(text(union8(made(Union8.self), 3, 2.5), [0..<8])))
  say(line(union8(made(Union8.self), (made(Union8.self, 3), 1)).map { text($0, [0..<8]) }))
  say(line(union8(nil, (made(Union8.self, 3), 2)).map { text($0, [0..<8]) }))
  say(line(text(union16(made(Union16.self), 3, 2.5), [0..<16])))
  say(line(union16(made(Union16.self), (made(Union16.self, 3), 1)).map { text($0, [0..<16]) }))
  say(line(union16(nil, (made(Union16.self, 3), 2)).map { text($0, [0..<16]) }))
  say(line(text(endpoint(made(Endpoint.self), 3, 2.5), [0..<28])))
  say(line(endpoint(made(Endpoint.self), (made(Endpoint.self, 3), 1)).map { text($0, [0..<28]) }))
  say(line(endpoint(nil, (made(Endpoint.self, 3), 2)).map { text($0, [0..<28]) }))
  say(line(text(leadingBits(made(LeadingBits.self), 3, 2.5), [0..<2, 4..<8])))
  say(
    line(
      leadingBits(made(LeadingBits.self), (made(LeadingBits.self, 3), 1)).map {
        text($0, [0..<2, 4..<8])
      }))
  say(line(leadingBits(nil, (made(LeadingBits.self, 3), 2)).map { text($0, [0..<2, 4..<8]) }))
  say(line(text(trailingBits(made(TrailingBits.self), 3, 2.5), [0..<9])))
  say(
    line(
      trailingBits(made(TrailingBits.self), (made(TrailingBits.self, 3), 1)).map {
        text($0, [0..<9])
      }))
  say(line(trailingBits(nil, (made(TrailingBits.self, 3), 2)).map { text($0, [0..<9]) }))
  say(line(text(bitsInPadding(made(BitsInPadding.self), 3, 2.5), [0..<5, 8..<16])))
  say(
    line(
      bitsInPadding(made(BitsInPadding.self), (made(BitsInPadding.self, 3), 1)).map {
        text($0, [0..<5, 8..<16])
      }))
  say(line(bitsInPadding(nil, (made(BitsInPadding.self, 3), 2)).map { text($0, [0..<5, 8..<16]) }))
  say(line(text(bitsAfterFloats(made(BitsAfterFloats.self), 3, 2.5), [0..<9])))
  say(
    line(
      bitsAfterFloats(made(BitsAfterFloats.self), (made(BitsAfterFloats.self, 3), 1)).map {
        text($0, [0..<9])
      }))
  say(line(bitsAfterFloats(nil, (made(BitsAfterFloats.self, 3), 2)).map { text($0, [0..<9]) }))
  say(line(text(taggedUnion(made(TaggedUnion.self), 3, 2.5), [0..<4, 8..<17])))
  say(
    line(
      taggedUnion(made(TaggedUnion.self), (made(TaggedUnion.self, 3), 1)).map {
        text($0, [0..<4, 8..<17])
      }))
  say(line(taggedUnion(nil, (made(TaggedUnion.self, 3), 2)).map { text($0, [0..<4, 8..<17]) }))
  say(line(text(numberAndUnion(made(NumberAndUnion.self), 3, 2.5), [0..<16])))
  say(
    line(
      numberAndUnion(made(NumberAndUnion.self), (made(NumberAndUnion.self, 3), 1)).map {
        text($0, [0..<16])
      }))
  say(line(numberAndUnion(nil, (made(NumberAndUnion.self, 3), 2)).map { text($0, [0..<16]) }))
  say(line(text(paddedDouble(made(PaddedDouble.self), 3, 2.5), [0..<1, 8..<16])))
  say(
    line(
      paddedDouble(made(PaddedDouble.self), (made(PaddedDouble.self, 3), 1)).map {
        text($0, [0..<1, 8..<16])
      }))
  say(line(paddedDouble(nil, (made(PaddedDouble.self, 3), 2)).map { text($0, [0..<1, 8..<16]) }))
  say(line(text(paddedFloat(made(PaddedFloat.self), 3, 2.5), [0..<4, 8..<16])))
  say(
    line(
      paddedFloat(made(PaddedFloat.self), (made(PaddedFloat.self, 3), 1)).map {
        text($0, [0..<4, 8..<16])
      }))
  say(line(paddedFloat(nil, (made(PaddedFloat.self, 3), 2)).map { text($0, [0..<4, 8..<16]) }))
  say(line(text(text(made(Text.self), 3, 2.5), [0..<16])))
  say(line(text(made(Text.self), (made(Text.self, 3), 1)).map { text($0, [0..<16]) }))
  say(line(text(nil, (made(Text.self, 3), 2)).map { text($0, [0..<16]) }))
  say(line(text(anonymous(made(Anonymous.self), 3, 2.5), [0..<12])))
  say(
    line(anonymous(made(Anonymous.self), (made(Anonymous.self, 3), 1)).map { text($0, [0..<12]) }))
  say(line(anonymous(nil, (made(Anonymous.self, 3), 2)).map { text($0, [0..<12]) }))
  var endpoint = made(Endpoint.self)
  endpoint.move()
  say(line(text(endpoint.plus(endpoint), [0..<28]), endpoint.low))
  mark(&endpoint)
  say(line(endpoint.low, bits(BitsAfterFloats(x: 1, y: 2, bits: 5))))
}
