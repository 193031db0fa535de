// SPDX-License-Identifier: MIT

/// The owner and base name of a function, read from its symbol without its type.
///
/// A program may have tens of thousands of patch points, of which a patch names a few: these are found
/// by their outlines, and only they are demangled. The outline of an ordinary function is read in one
/// pass over the beginning of its symbol. Everything unusual has none, and has to be demangled: members
/// of extensions under conditions, what is declared in functions, operators, and names that are not
/// spelled out in ASCII. An outline that there is agrees with the demangled declaration.
package struct SymbolOutline: Equatable {
  /// How many bytes of the symbol spell the type or module that the function is a member of.
  package let ownerLength: Int
  /// Whether that is a type.
  package let isMember: Bool
  /// The module whose source has the function.
  package let module: String
  package let baseName: String

  /// - Parameter symbol: With its prefix, `$s`.
  package init?(_ symbol: UnsafeRawBufferPointer) {
    var reader = unsafe SymbolOutlineReader(symbol)
    var outline = reader.outline()
    if outline == nil, reader.wantsWords {
      reader = unsafe SymbolOutlineReader(symbol, words: [])
      outline = reader.outline()
    }
    guard let outline else { return nil }
    self = outline
  }

  fileprivate init(ownerLength: Int, isMember: Bool, module: String, baseName: String) {
    (self.ownerLength, self.isMember) = (ownerLength, isMember)
    (self.module, self.baseName) = (module, baseName)
  }
}

/// Reads a symbol from its beginning, as far as an outline goes.
/// Safe: none lives longer than the call that was lent the bytes.
@safe
private struct SymbolOutlineReader {
  private static let mostWords = 26

  private let text: UnsafeRawBufferPointer
  private var position = 2
  /// The words of the identifiers so far, which later ones may repeat. nil: they are not looked for.
  private var words: [Range<Int>]?
  /// An identifier repeats words, and they were not looked for.
  private(set) var wantsWords = false

  init(_ text: UnsafeRawBufferPointer, words: [Range<Int>]? = nil) {
    unsafe self.text = unsafe text
    self.words = words
  }

  mutating func outline() -> SymbolOutline? {
    guard unsafe text.count > 4, var (module, isType) = root() else { return nil }
    // The first identifier is the first of what later parts may refer to.
    let ownModule = unsafe isType || text[2] == UInt8(ascii: "s") ? nil : module
    var length = position
    while true {
      if isType, ownModule != nil, isNext("AAE") {
        position += 3
        module = ownModule ?? module
        continue
      }
      if !isType, ownModule != nil, isNext("AA"), isTypeKind(peek(2)) {
        // A type of the module's own name.
        position += 3
        length = position
        isType = true
        continue
      }
      guard isDigit() else { return finish(length, isType, module, nil) }
      guard let name = identifier(), skipDiscriminator() else { return nil }
      if isTypeKind(peek()) {
        position += 1
        length = position
        isType = true
      } else if isType, isNext("E") {
        position += 1
        module = name
      } else {
        return finish(length, isType, module, name)
      }
    }
  }

  /// - Parameter member: The identifier after the owner. Initializers and subscripts have no names,
  ///   so it is a label then.
  private func finish(
    _ length: Int, _ isType: Bool, _ module: String, _ member: String?
  ) -> SymbolOutline? {
    guard let baseName = baseName(member), !isUnusual(from: length),
      isType || baseName == member
    else { return nil }
    return SymbolOutline(
      ownerLength: length, isMember: isType, module: module, baseName: baseName)
  }

  private func baseName(_ member: String?) -> String? {
    var end = unsafe text.count
    if unsafe text[end - 1] == UInt8(ascii: "Z") { end -= 1 }
    guard end - 2 >= position else { return nil }
    let (last, before) = unsafe (text[end - 1], text[end - 2])
    switch (before, last) {
    case (UInt8(ascii: "f"), UInt8(ascii: "C")), (UInt8(ascii: "f"), UInt8(ascii: "c")):
      return "init"
    case (UInt8(ascii: "i"), UInt8(ascii: "g")), (UInt8(ascii: "i"), UInt8(ascii: "s")):
      return "subscript"
    case (_, UInt8(ascii: "F")), (UInt8(ascii: "v"), UInt8(ascii: "g")),
      (UInt8(ascii: "v"), UInt8(ascii: "s")), (UInt8(ascii: "v"), UInt8(ascii: "w")),
      (UInt8(ascii: "v"), UInt8(ascii: "W")):
      // What makes a property's wrapper; of a function it is the end of `Float`.
      if before == UInt8(ascii: "f"), last == UInt8(ascii: "F"),
        unsafe text[end - 3] != UInt8(ascii: "S")
      {
        return nil
      }
      // An operator, or a name with something to tell it apart.
      guard let member, peek() != UInt8(ascii: "o"), peek() != UInt8(ascii: "L") else { return nil }
      // A raw identifier, or a name that the compiler has made up.
      return member.utf8.first == UInt8(ascii: "`") || member.utf8.first == UInt8(ascii: "$")
        ? nil : member
    default:
      return nil
    }
  }

  /// Whether anything from there on may be a name that is local to a function, or an extension under
  /// conditions, or one whose module is referred to.
  private func isUnusual(from start: Int) -> Bool {
    var index = start
    while unsafe index + 1 < text.count {
      let (letter, next) = unsafe (text[index], text[index + 1])
      switch letter {
      case UInt8(ascii: "L") where index >= position:
        if next == UInt8(ascii: "_") || (0x30...0x39).contains(next) { return true }
      case UInt8(ascii: "l"):
        if next == UInt8(ascii: "E") { return true }
      default: break
      }
      index += 1
    }
    return isReferredExtension(at: position)
  }

  /// Whether an extension that refers to an earlier type, such as `ADE` or `sE`, starts here.
  private func isReferredExtension(at start: Int) -> Bool {
    var index = start
    guard unsafe index < text.count else { return false }
    if unsafe text[index] == UInt8(ascii: "A") {
      repeat {
        index += 1
      } while unsafe index < text.count && text[index] >= 0x61
        || index < text.count && (0x30...0x39).contains(text[index])
    } else if unsafe text[index] != UInt8(ascii: "s") {
      return false
    }
    return unsafe index + 1 < text.count && text[index + 1] == UInt8(ascii: "E")
  }
}

// Its parts.
extension SymbolOutlineReader {
  /// The byte at an offset, 0 after the end.
  private func peek(_ offset: Int = 0) -> UInt8 {
    unsafe position + offset < text.count ? text[position + offset] : 0
  }

  private func isTypeKind(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "C"), UInt8(ascii: "V"), UInt8(ascii: "O"), UInt8(ascii: "P"): true
    default: false
    }
  }

  private func isDigit() -> Bool { (0x30...0x39).contains(peek()) }

  private func isNext(_ letters: StaticString) -> Bool {
    letters.withUTF8Buffer { letters in
      letters.indices.allSatisfy { unsafe peek($0) == letters[$0] }
    }
  }

  /// A module, or a type of the standard library that has a spelling of its own.
  private mutating func root() -> (module: String, isType: Bool)? {
    if isDigit() { return identifier().map { ($0, false) } }
    if isNext("s") {
      position += 1
      return ("Swift", false)
    }
    guard isNext("S"), StandardTypes.core[peek(1)] != nil else { return nil }
    position += 2
    return ("Swift", true)
  }

  /// Skips the mark of a name that is private to a file: another identifier, and `LL`.
  /// - Returns: False if the text after it is not spelled out.
  private mutating func skipDiscriminator() -> Bool {
    guard isDigit() else { return true }
    let (before, count) = (position, words?.count ?? 0)
    guard identifier() != nil else { return false }
    if isNext("LL") {
      position += 2
    } else {
      position = before
      words?.removeSubrange(count...)
    }
    return true
  }

  private mutating func identifier() -> String? {
    guard peek() == UInt8(ascii: "0") else {
      return plainPart().map { unsafe String(decoding: text[$0], as: UTF8.self) }
    }
    guard words != nil, peek(1) != UInt8(ascii: "0") else {
      wantsWords = words == nil
      return nil
    }
    position += 1
    return identifierWithWords()
  }

  private mutating func plainPart() -> Range<Int>? {
    var count = 0
    while isDigit(), unsafe count < text.count {
      count = count * 10 + Int(peek() - 0x30)
      position += 1
    }
    guard count > 0, unsafe count <= text.count - position else { return nil }
    let part = position..<(position + count)
    position += count
    addWords(of: part)
    return part
  }

  /// Parts spelled out, and letters that stand for words; the last of these is upper case.
  private mutating func identifierWithWords() -> String? {
    var bytes: [UInt8] = []
    while true {
      while let (word, isLast) = wordLetter() {
        guard let words, words.indices.contains(word), unsafe bytes.count <= text.count * 4 else {
          return nil
        }
        unsafe bytes += text[words[word]]
        guard isLast else { continue }
        if peek() == UInt8(ascii: "0") {
          position += 1
        } else {
          guard let part = plainPart() else { return nil }
          unsafe bytes += text[part]
        }
        return String(decoding: bytes, as: UTF8.self)
      }
      if peek() == UInt8(ascii: "0") {
        position += 1
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
      }
      guard let part = plainPart() else { return nil }
      unsafe bytes += text[part]
    }
  }

  private mutating func wordLetter() -> (index: Int, isLast: Bool)? {
    let letter = peek()
    switch letter {
    case 0x61...0x7a:
      position += 1
      return (Int(letter - 0x61), false)
    case 0x41...0x5a:
      position += 1
      return (Int(letter - 0x41), true)
    default:
      return nil
    }
  }

  /// Adds the words of an identifier, as `Demangler` does.
  private mutating func addWords(of part: Range<Int>) {
    guard words != nil else { return }
    var start: Int?
    for index in part.lowerBound...part.upperBound {
      let byte = unsafe index == part.upperBound ? 0 : text[index]
      if let begin = start, unsafe Demangler.endsWord(byte, after: text[index - 1]) {
        if index - begin >= 2, (words?.count ?? 0) < Self.mostWords { words?.append(begin..<index) }
        start = nil
      }
      if start == nil, Demangler.startsWord(byte) { start = index }
    }
  }
}
