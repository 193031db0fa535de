// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingReflection

@Suite struct DemanglerDifferentialTests {
  private static let functionEndings = ["F", "fC", "fc", "g", "s"]

  /// What the official demangler's text starts with when a symbol that ends like a function's names
  /// something else.
  private static func isFunction(_ text: String) -> Bool {
    !text.contains(" for ") || text.contains(" for #") ? true : false
  }

  @Test(arguments: ToolchainLibrary.allCases)
  func `prints every function like the official demangler`(library: ToolchainLibrary) throws {
    let image = try ElfImage(path: library.path)
    var total = 0
    var different: [String] = []
    var unreadable: [String] = []
    for symbol in try image.symbols(in: .dynamic, where: { $0.starts(with: "$s".utf8) }) {
      guard Self.functionEndings.contains(where: symbol.name.hasSuffix) else { continue }
      guard let official = OfficialDemangler.text(of: symbol.name), official != symbol.name else { continue }
      total += 1
      guard let declaration = FunctionDeclaration(symbol: symbol.name) else {
        unreadable.append(symbol.name)
        continue
      }
      let text = declaration.runtimeDescription
      if text != official { different.append("\(symbol.name)\n  \(text)\n  \(official)") }
    }
    print(library, total, "different", different.count, "unreadable", unreadable.count)
    for d in different.prefix(12) { print(d) }
    for d in unreadable.prefix(12) { print(d, OfficialDemangler.text(of: d)!) }
    #expect(total > 0)
    #expect(different.isEmpty)
    #expect(unreadable.count * 100 < total)
  }
}
