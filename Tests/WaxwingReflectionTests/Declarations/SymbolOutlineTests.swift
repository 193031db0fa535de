// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations
@testable import WaxwingReflection

/// Outlines against the demangler.
@Suite struct SymbolOutlineTests {
  private static func outline(_ symbol: String) -> SymbolOutline? {
    Array(symbol.utf8).withUnsafeBytes { SymbolOutline($0) }
  }

  /// Whether an outline agrees with the demangled declaration.
  private static func agrees(_ outline: SymbolOutline, _ symbol: String) -> Bool {
    guard let declaration = FunctionDeclaration(symbol: symbol) else { return false }
    let owner = declaration.context.memberOf?.unbound
    let spelled = String(symbol.prefix(outline.ownerLength).dropFirst(2))
    guard outline.baseName == declaration.baseName, outline.module == declaration.module,
      outline.isMember == (owner != nil)
    else { return false }
    if let owner { return TypeNode(mangled: spelled)?.nominal?.unbound == owner }
    return RunningProgram.modulePrefix(of: declaration.module) == "$s" + spelled
  }

  @Test(arguments: [
    ("$s4Bank5audityyF", 7, false, "Bank", "audit"),
    ("$s4Bank7AccountC7deposit_4memoySi_SStF", 16, true, "Bank", "deposit"),
    ("$s4Bank7AccountC5ownerACSS_tcfC", 16, true, "Bank", "init"),
    ("$s4Bank7AccountC5titleSSvg", 16, true, "Bank", "title"),
    ("$s4Bank7AccountCyS2icig", 16, true, "Bank", "subscript"),
    ("$s4Bank7AccountC4makeACyFZ", 16, true, "Bank", "make"),
    ("$s4Bank7AccountC5InnerV5totalSivs", 23, true, "Bank", "total"),
    ("$s4Bank7AccountC5AuditE5notesyyF", 16, true, "Audit", "notes"),
    ("$s4Bank7GreeterPAAE5greetyyF", 16, true, "Bank", "greet"),
    ("$sSi4BankE4halfSivg", 4, true, "Bank", "half"),
    ("$ss5Int32V4BankE4halfABvg", 10, true, "Bank", "half"),
    ("$s16BenchmarkFixture0aB4StepyyF", 20, false, "BenchmarkFixture", "BenchmarkFixtureStep"),
    (
      "$s4Bank6Secret33_0123456789ABCDEF0123456789ABCDEFLLC3runyyF", 52, true, "Bank", "run"
    ),
    ("$s4BankAAV5auditACyF", 10, true, "Bank", "audit"),
    ("$s4Bank7AccountC4rateySiSfF", 16, true, "Bank", "rate"),
    ("$s4Bank3run33_0123456789ABCDEF0123456789ABCDEFLLyyF", 7, false, "Bank", "run"),
  ])
  func ordinary(_ symbol: String, _ length: Int, _ isMember: Bool, _ module: String, _ name: String)
    throws
  {
    let outline = try #require(Self.outline(symbol))
    #expect(outline.ownerLength == length)
    #expect(outline.isMember == isMember)
    #expect(outline.module == module)
    #expect(outline.baseName == name)
  }

  @Test(arguments: [
    "$s", "$s4Bank", "$s4Bank7AccountC", "$s4Bank7AccountC1poiyA2C_ACtFZ",
    "$s4Bank3runyyF5innerL_yyF", "$s4Bank7AccountC003abcyyF", "$s99Bank5audityyF",
    "$s4Bank5StackVAASiRszlE3sumSiyF", "$sSo8NSObjectC4BankE4halfyyF", "$s0A5audityyF",
    "$s4Bank9999999999999999999999F",
  ])
  func `what is unusual has none`(_ symbol: String) {
    #expect(Self.outline(symbol) == nil)
  }

  @Test(arguments: ToolchainLibrary.allCases)
  func `of libraries they agree with the demangler`(_ library: ToolchainLibrary) throws {
    try expectAgreement(ElfImage(path: library.path), minimum: 500)
  }

  @Test func `of this program they agree with the demangler`() throws {
    try expectAgreement(ElfImage(path: OwnImage.path), minimum: 1000)
  }

  /// Those of types' descriptors: words that come again are letters in them.
  @Test func `types are spelled as in the symbols of this program`() throws {
    var found = 0
    for symbol in try ElfImage(path: OwnImage.path).symbols(in: .complete)
    where symbol.name.hasPrefix("$s") && symbol.name.hasSuffix("Mn") {
      let spelled = symbol.name.dropFirst(2).dropLast(2)
      guard let type = TypeNode(mangled: String(spelled))?.nominal, Self.isOutside(type) else {
        continue
      }
      found += 1
      #expect(TypeNode.nominal(type).inSymbols == spelled)
    }
    #expect(found >= 1000)
  }

  /// Whether there are neither functions nor extensions around it.
  private static func isOutside(_ type: NominalType) -> Bool {
    switch type.context {
    case .module: true
    case .type(let outer): isOutside(outer)
    default: false
    }
  }

  private func expectAgreement(_ image: ElfImage, minimum count: Int) throws {
    var found = 0
    for table in ElfSymbolTable.allCases {
      for symbol in try image.symbols(in: table) where symbol.name.hasPrefix("$s") {
        guard let outline = Self.outline(symbol.name),
          FunctionDeclaration(symbol: symbol.name) != nil
        else { continue }
        found += 1
        #expect(Self.agrees(outline, symbol.name), "\(symbol.name): \(outline)")
      }
    }
    #expect(found >= count)
  }
}
