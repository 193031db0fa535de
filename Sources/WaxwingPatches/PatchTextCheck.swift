// SPDX-License-Identifier: MIT

/// Checks that bytes are Lua source that a person can have reviewed, before anything parses them.
enum PatchTextCheck {
  static func check(_ file: PatchFile) throws(PatchError) {
    guard !file.bytes.isEmpty else { throw empty(file.name) }
    guard file.bytes.count <= PatchSizes.file else {
      throw tooLarge(file.name, size: file.bytes.count)
    }
    try checkStart(file)
    try checkCharacters(file)
  }

  static func empty(_ name: String) -> PatchError {
    PatchError(
      .empty, file: name, message: "the file is empty (0 bytes)",
      remedy: "check that it was saved, and apply it again")
  }

  static func tooLarge(_ name: String, size: Int) -> PatchError {
    let limit = PatchSizes.text(PatchSizes.file)
    return PatchError(
      .tooLarge, file: name,
      message: "the file has \(PatchSizes.text(size)); a Lua file of a patch may have \(limit)",
      remedy: "split it into a folder with main.lua and modules, or leave out data")
  }

  /// Control characters and the marks that turn the direction of text.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || turnsDirection(scalar)
  }

  private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  /// Names what a file is when its first bytes say that it is not Lua source.
  private static func checkStart(_ file: PatchFile) throws(PatchError) {
    let known: [(start: [UInt8], code: PatchError.Code, message: String, remedy: String)] = [
      ([0x1B], .bytecode, "compiled Lua is refused", "give the source"),
      (
        [0xEF, 0xBB, 0xBF], .notLuaText, "the file starts with a byte order mark",
        "save it as UTF-8 without one"
      ),
      ([0xFF, 0xFE], .notLuaText, "the file is UTF-16", "save it as UTF-8"),
      ([0xFE, 0xFF], .notLuaText, "the file is UTF-16", "save it as UTF-8"),
      ([0x1F, 0x8B], .notLuaText, "the file is compressed (gzip)", "unpack it first"),
      (
        [0x7F, 0x45, 0x4C, 0x46], .notLuaText, "the file is a program (ELF), not a Lua script",
        "give the path of a .lua file"
      ),
      ([0x23, 0x21], .notLuaText, "a patch has no '#!' line", "remove the first line"),
    ]
    for kind in known where file.bytes.starts(with: kind.start) {
      throw PatchError(
        kind.code, file: file.name, line: kind.start == [0x23, 0x21] ? 1 : nil,
        message: kind.message, remedy: kind.remedy)
    }
  }

  private static func checkCharacters(_ file: PatchFile) throws(PatchError) {
    var decoder = UTF8()
    var bytes = file.bytes.makeIterator()
    var line = 1
    var lineLength = 0
    while true {
      switch decoder.decode(&bytes) {
      case .emptyInput: return
      case .error: throw notText(file, line, "the text is not valid UTF-8")
      case .scalarValue("\0"): throw notText(file, line, "the text has a zero byte")
      case .scalarValue("\n"): (line, lineLength) = (line + 1, 0)
      case .scalarValue(let scalar):
        if turnsDirection(scalar) { throw hidden(file, line, scalar) }
        lineLength += UTF8.width(scalar)
        if lineLength > PatchSizes.line { throw longLine(file, line) }
      }
    }
  }

  private static func notText(_ file: PatchFile, _ line: Int, _ message: String) -> PatchError {
    PatchError(
      .notLuaText, file: file.name, line: line, message: message,
      remedy: "save the file as plain UTF-8 text; write other bytes as '\\xNN' in Lua strings")
  }

  private static func hidden(
    _ file: PatchFile, _ line: Int, _ scalar: Unicode.Scalar
  ) -> PatchError {
    let number = String(scalar.value, radix: 16, uppercase: true)
    return PatchError(
      .hiddenCharacters, file: file.name, line: line,
      message: "U+\(number) changes the direction of text, so the code does not run as it reads",
      remedy: "remove it, or write '\\u{\(number)}' in a Lua string")
  }

  private static func longLine(_ file: PatchFile, _ line: Int) -> PatchError {
    PatchError(
      .tooLarge, file: file.name, line: line,
      message: "the line has more than \(PatchSizes.text(PatchSizes.line))",
      remedy: "give the source as it was written")
  }
}
