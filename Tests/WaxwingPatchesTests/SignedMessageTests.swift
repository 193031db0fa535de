// SPDX-License-Identifier: MIT

import SignatureOracle
import Testing
import WaxwingPatches
import WaxwingTestSupport

/// What is signed of a folder.
@Suite struct SignedMessageTests {
  private static let files = [
    PatchFile(name: "fees/main.lua", bytes: Array("return 1\n".utf8)),
    PatchFile(name: "fees/rates/eur.lua", bytes: Array("return 2\n".utf8)),
    PatchFile(name: "fees/Zz.lua", bytes: Array("return 'ä'".utf8)),
    PatchFile(name: "fees/ä b.lua", bytes: []),
  ]

  @Test func `of a folder the list that sha256sum makes is signed`() throws {
    let tools = try StockTools()
    for file in Self.files { try tools.folder.write(file.bytes, to: file.name) }
    let list = try tools.run(
      "cd fees && find . -name '*.lua' -printf '%P\\n' | LC_ALL=C sort | xargs -d '\\n' sha256sum")
    #expect(String(decoding: try SignedMessage.bytes(of: Self.files), as: UTF8.self) == list)
    #expect(try SignedMessage.bytes(of: Self.files.reversed()) == Array(list.utf8))
    #expect(SignedMessage.name(of: Self.files) == "fees/SHA256SUMS")
  }

  @Test func `the folder's name is not under the signature, and every file is`() throws {
    let message = try SignedMessage.bytes(of: Self.files)
    let renamed = Self.files.map { file in
      PatchFile(name: file.name.replacing("fees/", with: "charges/"), bytes: file.bytes)
    }
    #expect(try SignedMessage.bytes(of: renamed) == message)
    #expect(try SignedMessage.bytes(of: Self.files.dropLast()) != message)
    var changed = Self.files
    changed[1] = PatchFile(name: "fees/rates/usd.lua", bytes: changed[1].bytes)
    #expect(try SignedMessage.bytes(of: changed) != message)
  }

  @Test func `a name that sha256sum would write in another way is refused`() {
    let file = PatchFile(name: "fees/a\\b.lua", bytes: [])
    #expect(throws: PatchError.self) { try SignedMessage.bytes(of: [Self.files[0], file]) }
  }

  @Test func `a folder of one file is not that file`() throws {
    let folder = [PatchFile(name: "fees/main.lua", bytes: Array("return 1\n".utf8))]
    let file = [PatchFile(name: "main.lua", bytes: Array("return 1\n".utf8))]
    #expect(try SignedMessage.bytes(of: folder) != SignedMessage.bytes(of: file))
  }
}
