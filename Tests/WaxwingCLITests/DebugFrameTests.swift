// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingCLI

/// The messages of the Debug Adapter Protocol as bytes.
@Suite struct DebugFrameTests {
  private static func messages(_ pieces: [String]) throws -> [String] {
    var decoder = DebugFrameDecoder()
    var found: [String] = []
    for piece in pieces {
      decoder.append(piece.utf8)
      while let message = try decoder.next() {
        found.append(String(decoding: message, as: UTF8.self))
      }
    }
    return found
  }

  @Test func `messages come in any pieces`() throws {
    let text = "Content-Length: 2\r\n\r\n{}content-type: x\r\nCONTENT-LENGTH:7\r\n\r\n{\"ä\":1}"
    #expect("{\"ä\":1}".utf8.count == 8)
    let whole = text.replacing("LENGTH:7", with: "LENGTH: 8 ")
    #expect(try Self.messages([whole]) == ["{}", "{\"ä\":1}"])
    #expect(try Self.messages(whole.map(String.init)) == ["{}", "{\"ä\":1}"])
    #expect(try Self.messages(["Content-Length: 10\r\n\r\n{}"]).isEmpty)
  }

  @Test(arguments: [
    "Content-Length: -1\r\n\r\n", "Content-Length: many\r\n\r\n", "Length: 2\r\n\r\n{}",
    "Content-Length: 99999999999\r\n\r\n", String(repeating: "x", count: 5000),
  ])
  func `what is no message is refused`(text: String) {
    #expect(throws: DebugFrameDecoder.Failure.self) { try Self.messages([text]) }
  }

  @Test func `what is written can be read`() throws {
    var decoder = DebugFrameDecoder()
    decoder.append(DebugFrameEncoder.frame(["a": "ü\r\n\r\n"]))
    #expect(try decoder.next().map { String(decoding: $0, as: UTF8.self) } == #"{"a":"ü\r\n\r\n"}"#)
    #expect(try decoder.next() == nil && !decoder.isInsideMessage)
  }

  @Test func `files of editors are found among those of the patch`() {
    var sources = DebugSources(files: ["fees/main.lua", "fees/rates/eur.lua"], place: nil)
    #expect(sources.file(at: "/home/x/fees/main.lua") == "fees/main.lua")
    #expect(sources.path(of: "fees/main.lua") == "/home/x/fees/main.lua")
    #expect(sources.file(at: "/elsewhere/eur.lua") == "fees/rates/eur.lua")
    #expect(sources.file(at: "/home/x/fees/other.lua") == nil)
    #expect(sources.path(of: "fees/nothing.lua") == nil)
  }

  @Test func `a line without code is that of the next that has some`() {
    let text = "-- a comment\n\nlocal x = 1\n  else\nend\n"
    #expect((1...6).map { DebugSources.codeLine(from: $0, in: text) } == [3, 3, 3, 5, 5, nil])
    #expect(DebugSources.codeLine(from: 0, in: text) == nil)
  }
}
