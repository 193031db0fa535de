// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations
@testable import WaxwingReflection

/// Names of types that are read without the demangler, against it.
@Suite struct SpelledOutTypeTests {
  @Test(arguments: [OwnImage.path] + ToolchainLibrary.allCases.map(\.path))
  func `types are those that the demangler reads`(path: String) throws {
    let image = try ElfImage(symbolsOf: path)
    var found = 0
    for table in ElfSymbolTable.allCases {
      for symbol in try image.symbols(in: table, suffix: "Mn") where symbol.name.hasPrefix("$s") {
        let name = symbol.name.dropFirst(2).dropLast(2)
        guard let type = NominalType(spelledOut: name) else { continue }
        found += 1
        #expect(TypeNode(mangled: String(name))?.nominal?.unbound == type, "\(symbol.name)")
      }
    }
    // The standard library's own types are all spelled in other ways.
    #expect(found > 10 || path.contains("libswift"))
  }

  @Test(arguments: [
    "", "4Bank", "4BankC", "4Bank7Account", "4Bank7AccountCC", "4Bank7AccountP", "0A7AccountC",
    "4Bank99AccountC", "4Bank7Account33_0123456789ABCDEF0123456789ABCDEFLLC", "Si", "s5Int32V",
    "4Bank99999999999999999999999C", "4Bank7AccountC5InnerV",
  ])
  func `what is not spelled out is left to the demangler`(name: String) {
    let type = NominalType(spelledOut: name[...])
    #expect((type != nil) == (name == "4Bank7AccountC5InnerV"))
    if let type { #expect(type.qualifiedName == "Bank.Account.Inner") }
  }
}
