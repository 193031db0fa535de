// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations

@Suite struct FunctionDeclarationTests {
  private static let account = "$s4Bank7AccountC"

  private static func read(_ symbol: String) throws -> FunctionDeclaration {
    try #require(FunctionDeclaration(symbol: symbol), "\(symbol)")
  }

  @Test(arguments: [
    ("$s4Bank7LocatedV7promise_4file4lineS2S_s12StaticStringVSutF", [1, 2] as Set),
    ("$s4Bank7LocatedV3log_4file8function4lineS2S_S2SSutF", [1, 2, 3] as Set),
    ("$s4Bank7LocatedV4draw_4file4lineS2S_SSSitF", [] as Set<Int>),
  ])
  func `the place of a call is for a file's text and an unsigned line`(
    symbol: String, parameters: Set<Int>
  ) throws {
    #expect(try Self.read(symbol).locationParameters == parameters)
  }

  @Test(arguments: [
    ("$s4Bank6LaziesC5twiceyS2iyXKF", "Swift.Int"),
    ("$s4Bank6LaziesC4keepyyAA5TokenCyKXAF", "Bank.Token"),
    ("$s4Bank7LocatedV7promise_4file4lineS2S_s12StaticStringVSutF", "Swift.String"),
  ])
  func `what is written for an autoclosure is what it returns`(
    symbol: String, type: String
  ) throws {
    let parameter = try #require(try Self.read(symbol).parameters.first)
    #expect(parameter.writtenType.nominal?.qualifiedName == type)
  }

  @Test(arguments: BankSymbols.all.indices)
  func `names and signatures are those of the source`(index: Int) throws {
    let expected = BankSymbols.all[index]
    let declaration = try Self.read(expected.symbol)
    #expect(declaration.qualifiedName == expected.name)
    #expect(declaration.description == expected.text)
    #expect(declaration.runtimeDescription == OfficialDemangler.text(of: expected.symbol))
  }

  @Test(arguments: [
    ("7deposit_4memoS2i_SStKF", DeclarationKind.function), ("5ownerACSS_tcfc", .initializer),
    ("4codeACSgSiSg_tcfC", .allocatingInitializer), ("5titleSSvg", .getter),
    ("5titleSSvs", .setter),
    ("ySSSicig", .subscriptGetter), ("ySSSicis", .subscriptSetter),
    ("5titleSSvM", .accessor(.modify)),
    ("5titleSSvr", .accessor(.read)), ("3logSaySSGvW", .accessor(.didSet)),
    ("5titleSSvp", .property),
    ("ySSSiciM", .subscriptAccessor(.modify)), ("fd", .deinitializer),
    ("fD", .deallocatingDeinitializer),
    ("fZ", .isolatedDeinitializer), ("5titleSSvy", .accessor(.read2)),
    ("5titleSSvx", .accessor(.modify2)),
    ("5titleSSvau", .accessor(.unsafeMutableAddressor)), ("1poiyA2C_ACtFZ", .operatorFunction),
    ("7deposit_4memoS2i_SStKFfA0_", .defaultArgument(1)), ("5auditSiyFSiycfU_", .closure(0)),
  ])
  func `kinds are told apart`(suffix: String, kind: DeclarationKind) throws {
    #expect(try Self.read(Self.account + suffix).kind == kind)
  }

  @Test func `a method tells its parts`() throws {
    let deposit = try Self.read(Self.account + "7deposit_4memoS2i_SStKF")
    #expect(deposit.module == "Bank")
    #expect(deposit.typeName == "Bank.Account")
    #expect(deposit.selector == "deposit(_:memo:)")
    #expect(deposit.baseName == "deposit")
    #expect(deposit.labels == [nil, "memo"])
    #expect(deposit.parameters.map(\.type.description) == ["Swift.Int", "Swift.String"])
    #expect(deposit.result.description == "Swift.Int")
    #expect(deposit.isThrowing && !deposit.isAsync && !deposit.isStatic)
    #expect(deposit.contextType?.mangled == "4Bank7AccountC")
  }

  @Test func `ownership and closures are told`() throws {
    let swap = try Self.read(Self.account + "7swapAll_4withySiz_SaySSSgGztF")
    #expect(swap.parameters.map(\.ownership) == [.inout, .inout])
    let take = try Self.read(Self.account + "4takeyySSn_ACtF")
    #expect(take.parameters.map(\.ownership) == [.owned, .standard])
    let keep = try Self.read(Self.account + "4keep_4thenySSSic_yyKXEtKF")
    #expect(keep.parameters.map(\.type.function?.representation) == [.escaping, .nonescaping])
    let lazy = try Self.read(Self.account + "9lazyValueyS2iyXKF")
    #expect(lazy.parameters.map(\.type.function?.representation) == [.autoclosure])
  }

  @Test func `variadic parameters are arrays`() throws {
    let make = try Self.read(Self.account + "4makeyACSid_tFZ")
    #expect(make.isStatic)
    #expect(make.parameters.map(\.isVariadic) == [true])
    #expect(make.parameters.map(\.type.mangled) == ["SaySiG"])
  }

  @Test func `setters take the new value first`() throws {
    let title = try Self.read(Self.account + "5titleSSvs")
    #expect(title.parameters.map(\.type.mangled) == ["SS"])
    #expect(title.result == .void)
    let element = try Self.read(Self.account + "ySSSicis")
    #expect(element.parameters.map(\.type.mangled) == ["SS", "Si"])
    #expect(element.selector == "subscript(_:)")
  }

  @Test func `effects are told`() throws {
    let fetch = try Self.read(Self.account + "5fetchySaySSGSSYaKF")
    #expect(fetch.isAsync && fetch.isThrowing && fetch.thrownType == nil)
    let withdraw = try Self.read(Self.account + "8withdrawyS2iAA7FailureOYKF")
    #expect(withdraw.thrownType?.description == "Bank.Failure")
    // A property whose value is a throwing function does not throw itself.
    #expect(try !Self.read(Self.account + "4workyyYaKcvg").isThrowing)
  }

  @Test func `private declarations keep what tells them apart`() throws {
    let secret = try Self.read(
      Self.account + "6secret33_23027B289DF0B8EC7BD80A596329CA18LLyAC3KeyAELLVAGF")
    #expect(secret.privateDiscriminator == "_23027B289DF0B8EC7BD80A596329CA18")
    #expect(secret.result.nominal?.name.privateDiscriminator == secret.privateDiscriminator)
    #expect(secret.result.nominal?.isHidden == true)
    #expect(secret.result.mangled == "4Bank7AccountC3Key33_23027B289DF0B8EC7BD80A596329CA18LLV")
  }

  @Test func `extensions tell their module and conditions`() throws {
    let total = try Self.read("$sSa4BankSiRszlE5totalSiyF")
    #expect(total.module == "Bank")
    #expect(total.typeName == "Swift.Array")
    #expect(total.extensionModule == "Bank")
    let subject = TypeNode.genericParameter(depth: 0, index: 0)
    let integer = try #require(TypeNode(mangled: "Si"))
    #expect(total.extensionConditions?.requirements == [.sameType(subject, integer)])
    #expect(try Self.read(Self.account + "5audityyFZ").extensionModule == nil)
  }

  @Test func `generic functions tell parameters and requirements`() throws {
    let generic = try Self.read("$s4Bank7generic_1uSDyxq_Gx_Sayq_GtSHRz7ElementQy_RszSTR_r0_lF")
    #expect(generic.genericSignature?.parameterCounts == [2])
    #expect(generic.genericSignature?.requirements.count == 3)
    #expect(generic.result.isDependent)
    let packs = try Self.read("$s4Bank5packsyxxQp_txxQpRvzlF")
    #expect(packs.genericSignature?.isPack(depth: 0, index: 0) == true)
  }

  @Test(arguments: [
    ("SDySSSiG", "[Swift.String : Swift.Int]", "[String: Int]"),
    ("4Bank7AccountCSg", "Bank.Account?", "Account?"),
    ("SSSicSg", "((Swift.Int) -> Swift.String)?", "((Int) -> String)?"),
    ("s5Error_p", "Swift.Error", "any Error"), ("s5Error_pSg", "Swift.Error?", "(any Error)?"),
    ("s5Error_pXp", "Swift.Error.Type", "any Error.Type"), ("yp", "Any", "Any"),
    ("yXl", "Swift.AnyObject", "AnyObject"),
    ("5Other3BoxVySiG", "Other.Box<Swift.Int>", "Other.Box<Int>"),
    ("So6stat_tV", "__C.stat_t", "stat_t"), ("Si1x_SS1y", nil, nil), ("Si", "Swift.Int", "Int"),
    ("yt", "()", "()"), ("Si1x_SS1yt", "(x: Swift.Int, y: Swift.String)", "(x: Int, y: String)"),
    ("Bi64_", "Builtin.Int64", "Builtin.Int64"), ("s6UInt16Vm", "Swift.UInt16.Type", "UInt16.Type"),
  ])
  func `types print in full and short`(mangled: String, full: String?, short: String?) {
    let type = TypeNode(mangled: mangled)
    #expect(type?.description == full)
    #expect(type?.shortDescription(in: "Bank") == short)
  }

  @Test func `a closure that gives a property its first value stands in the property`() throws {
    let closure = try #require(
      FunctionDeclaration(
        symbol:
          "$s15AsyncHTTPClient25HTTP1ClientChannelHandlerC16onConnectionIdleyycvpfiyycfU_"))
    #expect(closure.selector == "closure #1 in onConnectionIdle")
    #expect(
      closure.qualifiedName
        == "AsyncHTTPClient.HTTP1ClientChannelHandler.closure #1 in onConnectionIdle")
  }
}
