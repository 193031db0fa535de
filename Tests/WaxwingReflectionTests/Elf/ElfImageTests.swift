// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingReflection

@Suite struct ElfImageTests {
  private static let ownPath = "/proc/self/exe"

  @Test func `a toolchain library is read`() throws {
    let image = try ElfImage(path: ToolchainLibrary.swiftCore.path)
    #expect(image.type == .sharedObject)
    #if arch(x86_64)
      #expect(image.machine == .x86_64)
    #elseif arch(arm64)
      #expect(image.machine == .aarch64)
    #endif
    #expect(image.section(named: ".dynsym") != nil)
    let text = try #require(image.section(named: ".text"))
    #expect(try image.bytes(of: text).count == Int(text.size))
  }

  @Test func `the running program is read`() throws {
    let image = try ElfImage(path: Self.ownPath)
    #expect(!image.sections.isEmpty)
    #expect(try !image.symbols(in: .dynamic).isEmpty)
  }

  @Test func `a predicate sees the bytes of names`() throws {
    let image = try ElfImage(path: ToolchainLibrary.swiftCore.path)
    let found = try image.symbols(in: .dynamic) { $0.elementsEqual("swift_retain".utf8) }
    let symbol = try #require(found.first)
    #expect(found.count == 1)
    #expect(symbol.name == "swift_retain")
    #expect(symbol.kind == .function)
    #expect(symbol.isDefined)
    #expect(symbol.value > 0)
    let suffixed = try image.symbols(in: .dynamic, suffix: "_retain").map(\.name)
    #expect(suffixed.contains("swift_retain"))
    #expect(suffixed.allSatisfy { $0.hasSuffix("_retain") })
  }

  @Test func `the build id is hexadecimal`() throws {
    let image = try ElfImage(bytes: SmallElf.image(patchPoints: true))
    #expect(image.buildID == "00112233445566778899aabbccddeeff")
  }

  @Test func `sections and symbols have their names`() throws {
    let image = try ElfImage(bytes: SmallElf.image(patchPoints: true))
    #expect(image.sections.map(\.name).contains(".symtab"))
    #expect(try image.symbols(in: .complete).map(\.name) == SmallElf.symbolNames)
    #expect(try image.symbols(in: .dynamic).isEmpty)
  }

  @Test(arguments: [ownPath, OwnImage.path, ToolchainLibrary.foundation.path])
  func `the symbols of a file are read without the rest`(path: String) throws {
    let whole = try ElfImage(path: path)
    let image = try ElfImage(symbolsOf: path)
    for table in ElfSymbolTable.allCases {
      #expect(image.hasSymbols(in: table) == whole.hasSymbols(in: table))
      #expect(try image.symbols(in: table) == whole.symbols(in: table))
    }
    #expect(image.buildID == whole.buildID)
    #expect(image.machine == whole.machine)
    #expect(image.type == whole.type)
    #expect(whole.section(named: ".text") != nil)
    #expect(image.section(named: ".text") == nil)
  }
}
