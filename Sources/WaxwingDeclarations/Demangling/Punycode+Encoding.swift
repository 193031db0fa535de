// SPDX-License-Identifier: MIT

extension Punycode {
  /// The identifier in letters, digits and `_` only.
  static func encode(_ text: String) -> [UInt8] {
    let scalars = text.unicodeScalars.map { isSymbolCharacter($0) ? $0.value : mapped($0) }
    var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    var handled = output.count
    if handled > 0 { output.append(0x5f) }
    var scalar: UInt32 = 0x80
    var delta = 0
    var bias = 72
    let basicCount = handled
    while handled < scalars.count {
      guard let least = scalars.filter({ $0 >= scalar }).min() else { break }
      delta += Int(least - scalar) * (handled + 1)
      scalar = least
      for value in scalars {
        if value < scalar { delta += 1 }
        guard value == scalar else { continue }
        append(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      scalar += 1
    }
    return output
  }

  private static func isSymbolCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: !scalar.isASCII
    }
  }

  private static func mapped(_ scalar: Unicode.Scalar) -> UInt32 { scalar.value + 0xd800 }

  private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
    var rest = delta
    var position = 36
    while true {
      let threshold = min(max(position - bias, 1), 26)
      guard rest >= threshold else { break }
      output.append(letter(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
    output.append(letter(rest))
  }

  private static func letter(_ digit: Int) -> UInt8 {
    digit < 26 ? 0x61 + UInt8(digit) : 0x41 + UInt8(digit - 26)
  }
}
