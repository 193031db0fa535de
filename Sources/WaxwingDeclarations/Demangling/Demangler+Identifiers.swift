// SPDX-License-Identifier: MIT

extension Demangler {
  static let mostWords = 26

  /// A decimal number, nil if there is none or it is out of all proportion.
  mutating func naturalIfPresent() -> Int? {
    guard (0x30...0x39).contains(peek()) else { return nil }
    var number = 0
    while (0x30...0x39).contains(peek()) {
      number = number * 10 + Int(next() - 0x30)
      if number > 1 << 40 { return nil }
    }
    return number
  }

  mutating func natural() throws(DemanglingFailure) -> Int {
    guard let number = naturalIfPresent() else { throw DemanglingFailure() }
    return number
  }

  /// `_` is 0, `0_` is 1 and so on.
  mutating func index() throws(DemanglingFailure) -> Int {
    if skip("_") { return 0 }
    let number = try natural()
    guard skip("_") else { throw DemanglingFailure() }
    return number + 1
  }

  mutating func identifier() throws(DemanglingFailure) -> StackItem {
    guard (0x30...0x39).contains(peek()) else { throw DemanglingFailure() }
    let bytes: [UInt8]
    if skip("0") {
      bytes = skip("0") ? try punycoded() : try withWords()
    } else {
      bytes = try plainPart()
    }
    guard !bytes.isEmpty else { throw DemanglingFailure() }
    let item = StackItem.identifier(String(decoding: bytes, as: UTF8.self))
    try remember(item)
    return item
  }

  private mutating func slice(_ count: Int) throws(DemanglingFailure) -> ArraySlice<UInt8> {
    guard count > 0, count <= text.count - position else { throw DemanglingFailure() }
    position += count
    return text[(position - count)..<position]
  }

  private mutating func punycoded() throws(DemanglingFailure) -> [UInt8] {
    let count = try natural()
    _ = skip("_")
    guard let decoded = Punycode.decode(try slice(count)) else { throw DemanglingFailure() }
    return Array(decoded.utf8)
  }

  private mutating func plainPart() throws(DemanglingFailure) -> [UInt8] {
    let bytes = Array(try slice(try natural()))
    addWords(of: bytes)
    return bytes
  }

  /// Parts spelled out and letters that stand for words seen before; the last letter is upper case.
  private mutating func withWords() throws(DemanglingFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      while let letter = nextWordLetter() {
        guard words.indices.contains(letter.index) else { throw DemanglingFailure() }
        bytes += words[letter.index]
        guard bytes.count <= text.count * 4 else { throw DemanglingFailure() }
        guard letter.isLast else { continue }
        if !skip("0") { bytes += try plainPart() }
        return bytes
      }
      if skip("0") { return bytes }
      bytes += try plainPart()
    }
  }

  private mutating func nextWordLetter() -> (index: Int, isLast: Bool)? {
    let byte = peek()
    switch byte {
    case 0x61...0x7a:
      position += 1
      return (Int(byte - 0x61), false)
    case 0x41...0x5a:
      position += 1
      return (Int(byte - 0x41), true)
    default: return nil
    }
  }

  private mutating func addWords(of bytes: [UInt8]) {
    var start: Int?
    for (index, byte) in (bytes + [0]).enumerated() {
      if let begin = start, Self.endsWord(byte, after: bytes[index - 1]) {
        if index - begin >= 2, words.count < Self.mostWords {
          words.append(Array(bytes[begin..<index]))
        }
        start = nil
      }
      if start == nil, Self.startsWord(byte) { start = index }
    }
  }

  static func startsWord(_ byte: UInt8) -> Bool {
    byte != 0x5f && byte != 0 && !(0x30...0x39).contains(byte)
  }

  static func endsWord(_ byte: UInt8, after previous: UInt8) -> Bool {
    let isUpper = (0x41...0x5a).contains(byte)
    return byte == 0x5f || byte == 0 || (isUpper && !(0x41...0x5a).contains(previous))
  }

  private static let operatorCharacters = Array("& @/= >    <*!|+?%-~   ^ .".utf8)

  mutating func operatorIdentifier() throws(DemanglingFailure) -> DeclarationName {
    var bytes: [UInt8] = []
    for byte in try popIdentifier().utf8 {
      guard byte < 0x80 else {
        bytes.append(byte)
        continue
      }
      guard (0x61...0x7a).contains(byte) else { throw DemanglingFailure() }
      let character = Self.operatorCharacters[Int(byte - 0x61)]
      guard character != 0x20 else { throw DemanglingFailure() }
      bytes.append(character)
    }
    var name = DeclarationName(String(decoding: bytes, as: UTF8.self))
    switch nextCharacter() {
    case "i": name.fixity = .infix
    case "p": name.fixity = .prefix
    case "P": name.fixity = .postfix
    default: throw DemanglingFailure()
    }
    return name
  }

  /// Reads private, local and importer-made names, after `L`.
  mutating func localIdentifier() throws(DemanglingFailure) -> DeclarationName {
    if skip("L") {
      let discriminator = try popIdentifier()
      var name = try popName()
      name.privateDiscriminator = discriminator
      return name
    }
    if skip("l") {
      var name = DeclarationName("")
      name.privateDiscriminator = try popIdentifier()
      return name
    }
    if (0x61...0x6a).contains(peek()) || (0x41...0x4a).contains(peek()) {
      let kind = String(Character(nextCharacter()))
      var name = try popName()
      name.relatedKind = kind
      return name
    }
    let index = try index()
    var name = try popName()
    name.localIndex = index
    return name
  }
}
