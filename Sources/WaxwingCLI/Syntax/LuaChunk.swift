// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingPatches

/// A file of Lua, read and not run.
package struct LuaChunk {
  let statements: [LuaStatement]

  /// - Throws: `LuaSyntaxError` with the message of Lua's own compiler if that does not take it.
  package init(_ file: PatchFile) throws(LuaSyntaxError) {
    if let error = Self.refusal(of: file) { throw error }
    var parser = try LuaParser(file)
    statements = try parser.chunk()
  }

  /// The error of Lua's compiler about a text; nil if there is none.
  private static func refusal(of file: PatchFile) -> LuaSyntaxError? {
    var buffer = [CChar](repeating: 0, count: 1024)
    let isChunk = unsafe file.bytes.withUnsafeBytes { bytes in
      unsafe wax_lua_is_chunk(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &buffer, buffer.count)
    }
    guard !isChunk else { return nil }
    let end = buffer.firstIndex(of: 0) ?? buffer.count
    let text = String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard !text.isEmpty else {
      return LuaSyntaxError(
        place: TextPlace(line: 1, column: 1), message: "there was no memory to compile it")
    }
    return placed(text, file)
  }

  /// `patch:3: '=' expected near 'foo'`: the message, and where the words are that it is about.
  private static func placed(_ text: String, _ file: PatchFile) -> LuaSyntaxError {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let line = Int(parts[1]) else {
      return LuaSyntaxError(place: TextPlace(line: 1, column: 1), message: text)
    }
    let message = String(parts[2].drop { $0 == " " })
    return LuaSyntaxError(
      place: TextPlace(line: line, column: column(of: message, line, file)), message: message)
  }

  /// The column of the first word of the line after `near`, or else of its first word.
  private static func column(of message: String, _ line: Int, _ file: PatchFile) -> Int {
    let near = message.range(of: " near ").map { String(message[$0.upperBound...]) }
    var first: Int?
    var tokenizer = LuaTokenizer(file)
    while let token = try? tokenizer.next(), token.line <= line {
      if token.line == line {
        let text = token.kind == .end ? "<eof>" : token.text
        if text == near { return token.column }
        first = first ?? token.column
      }
      if token.kind == .end { break }
    }
    return first ?? 1
  }
}

extension String {
  /// Where another text is.
  fileprivate func range(of other: String) -> Range<String.Index>? {
    firstRange(of: other)
  }
}
