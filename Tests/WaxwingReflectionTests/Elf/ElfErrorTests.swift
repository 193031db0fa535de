// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import WaxwingReflection

@Suite struct ElfErrorTests {
  private static func error(_ body: () throws -> Void) -> ElfError? {
    do {
      try body()
      return nil
    } catch { return error as? ElfError }
  }

  @Test(arguments: [
    ([UInt8]("#!/bin/sh\n".utf8), "a script"),
    ([0xcf, 0xfa, 0xed, 0xfe, 0, 0], "a Mach-O image (macOS)"),
    ([UInt8]("MZ\u{1}\u{2}".utf8), "a Windows program"),
    ([UInt8]("print('hello')\n".utf8), "text"),
    ([0, 1, 2, 3], "data of an unknown kind"),
  ])
  func `what is not ELF is called by its name`(bytes: [UInt8], name: String) {
    let error = Self.error { _ = try ElfImage(bytes: bytes) }
    #expect(error?.code == .notElf)
    #expect(error?.message.contains("the file is \(name), not an ELF image") == true)
  }

  @Test func `an empty file is empty`() {
    #expect(Self.error { _ = try ElfImage(bytes: []) }?.code == .empty)
  }

  @Test func `a missing file is not found`() {
    let error = Self.error { _ = try ElfImage(path: "/nonexistent/program") }
    #expect(error?.code == .notFound)
    #expect(error?.systemError == 2)
    #expect(error?.message.contains("/nonexistent/program") == true)
  }

  @Test(arguments: ["/", "/dev/null"])
  func `what is no regular file is unreadable`(path: String) {
    #expect(Self.error { _ = try ElfImage(path: path) }?.code == .unreadable)
    #expect(Self.error { _ = try ElfImage(symbolsOf: path) }?.code == .unreadable)
  }

  @Test(arguments: ["/etc/passwd", "/proc/self/exe"])
  func `whoever reads the symbols alone finds the same errors`(path: String) throws {
    let bytes = try ElfFile.bytes(path: path)
    for count in [0, 3, 40, 63, 64, 100, 4096, bytes.count / 2, bytes.count - 1] {
      let file = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
      try Data(bytes.prefix(count)).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let error = Self.error { _ = try ElfImage(path: file.path) }
      #expect(Self.error { _ = try ElfImage(symbolsOf: file.path) } == error)
    }
  }

  @Test func `other word sizes and byte orders are unsupported`() {
    var bytes = SmallElf.image(patchPoints: true)
    bytes[4] = 1
    #expect(Self.error { _ = try ElfImage(bytes: bytes) }?.code == .unsupported)
    bytes[4] = 2
    bytes[5] = 2
    #expect(Self.error { _ = try ElfImage(bytes: bytes) }?.code == .unsupported)
  }

  @Test func `an image without dynamic functions has no patch points`() throws {
    let image = try ElfImage(bytes: SmallElf.image(patchPoints: false))
    let error = Self.error { _ = try PatchPointCatalog(image: image) }
    #expect(error?.code == .noPatchPoints)
    let remedy = #"swiftSettings: [.unsafeFlags(["-Xfrontend", "-enable-implicit-dynamic"])]"#
    #expect(error?.message.contains(remedy) == true)
  }

  @Test func `an image without symbols is stripped`() throws {
    let image = try ElfImage(bytes: SmallElf.image(patchPoints: true, symbolTable: ".other"))
    #expect(Self.error { _ = try PatchPointCatalog(image: image) }?.code == .stripped)
  }
}
