// SPDX-License-Identifier: MIT

/// Small damage to bytes, of the kinds that disks, editors and attackers do.
struct Mutation {
  /// What may be put in; null bytes are left out of texts, in which the tools see the end there.
  let bytes: [UInt8]

  static let text = Mutation(bytes: Array(1...255))
  static let binary = Mutation(bytes: Array(0...255))
  /// What means something in key lists.
  static let list = Mutation(bytes: Array(" \t\r\n\",=!*?#\\zZ019aA@".utf8))

  func apply(to input: [UInt8], _ random: inout some RandomNumberGenerator) -> [UInt8] {
    var output = input
    let place = input.isEmpty ? 0 : Int.random(in: 0..<input.count, using: &random)
    let byte = bytes.randomElement(using: &random) ?? 1
    switch Int.random(in: 0..<7, using: &random) {
    case _ where input.isEmpty: output = [byte]
    case 0:
      let flipped = input[place] ^ (1 << UInt8.random(in: 0..<8, using: &random))
      output[place] = bytes.contains(flipped) ? flipped : byte
    case 1: output[place] = byte
    case 2: output.insert(byte, at: place)
    case 3: output.remove(at: place)
    case 4: output.removeSubrange(place..<min(input.count, place + Int(byte)))
    case 5: output.insert(contentsOf: input[place..<min(input.count, place + Int(byte))], at: place)
    default: output.swapAt(place, Int.random(in: 0..<input.count, using: &random))
    }
    return output
  }
}
