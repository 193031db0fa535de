// SPDX-License-Identifier: MIT

/// Symbols as Swift 6.3.1 makes them for a module `Bank` under implicit dynamic, and what is to be
/// read from them.
enum BankSymbols {
  struct Expectation: Sendable {
    let symbol: String
    let name: String
    let text: String

    init(_ symbol: String, _ name: String, _ text: String) {
      self.symbol = symbol
      self.name = name
      self.text = text
    }
  }

  static let all: [Expectation] = [
    Expectation(
      "$s4Bank7AccountC3Key33_23027B289DF0B8EC7BD80A596329CA18LLVAFycfC",
      "Bank.Account.Key.init()", "init()"),
    Expectation(
      "$s4Bank7AccountC8anythingys5Error_pyp_yXlAA6Ledger_s8SendablepypXptF",
      "Bank.Account.anything(_:_:_:_:)",
      "func anything(_: Any, _: AnyObject, _: any Ledger & Sendable, _: Any.Type) -> any Error"),
    Expectation(
      "$s4Bank7AccountC5audityyFZ",
      "Bank.Account.audit()", "static func audit()"),
    Expectation(
      "$s4Bank7AccountC5cacheSDySSSiGvg",
      "Bank.Account.cache", "var cache: [String: Int] { get }"),
    Expectation(
      "$s4Bank7AccountC5cacheSDySSSiGvs",
      "Bank.Account.cache", "var cache: [String: Int] { set }"),
    Expectation(
      "$s4Bank7AccountC5chainACXDyF",
      "Bank.Account.chain()", "func chain() -> Self"),
    Expectation(
      "$s4Bank7AccountC11constrainedySiST_pSi7ElementSTRts_XPF",
      "Bank.Account.constrained(_:)",
      "func constrained(_: any Sequence<Int>) -> Int"),
    Expectation(
      "$s4Bank7AccountC7deposit_4memoS2i_SStKF",
      "Bank.Account.deposit(_:memo:)", "func deposit(_: Int, memo: String) throws -> Int"),
    Expectation(
      "$s4Bank7AccountC5fetchySaySSGSSYaKF",
      "Bank.Account.fetch(_:)", "func fetch(_: String) async throws -> [String]"),
    Expectation(
      "$s4Bank7AccountC4codeACSgSiSg_tcfC",
      "Bank.Account.init(code:)", "init?(code: Int?)"),
    Expectation(
      "$s4Bank7AccountC5ownerACSS_tcfc",
      "Bank.Account.init(owner:)", "init(owner: String)"),
    Expectation(
      "$s4Bank7AccountC4keep_4thenySSSic_yyKXEtKF",
      "Bank.Account.keep(_:then:)",
      "func keep(_: @escaping (Int) -> String, then: () throws -> ()) throws"),
    Expectation(
      "$s4Bank7AccountC9lazyValueyS2iyXKF",
      "Bank.Account.lazyValue(_:)", "func lazyValue(_: @autoclosure () -> Int) -> Int"),
    Expectation(
      "$s4Bank7AccountC3logSaySSGvW",
      "Bank.Account.log", "var log: [String] { didSet }"),
    Expectation(
      "$s4Bank7AccountC3logSaySSGvg",
      "Bank.Account.log", "var log: [String] { get }"),
    Expectation(
      "$s4Bank7AccountC4makeyACSid_tFZ",
      "Bank.Account.make(_:)", "static func make(_: Int...) -> Account"),
    Expectation(
      "$s4Bank7AccountC6onMainyyyyYbScMYcXEF",
      "Bank.Account.onMain(_:)", "func onMain(_: @MainActor @Sendable () -> ())"),
    Expectation(
      "$s4Bank7AccountC6opaqueQryF",
      "Bank.Account.opaque()", "func opaque() -> some"),
    Expectation(
      "$s4Bank7AccountC4pairSi5first_SdtyF",
      "Bank.Account.pair()", "func pair() -> (first: Int, Double)"),
    Expectation(
      "$s4Bank7AccountC6secret33_23027B289DF0B8EC7BD80A596329CA18LLyAC3KeyAELLVAGF",
      "Bank.Account.secret(_:)", "func secret(_: Account.Key) -> Account.Key"),
    Expectation(
      "$s4Bank7AccountC6sendItyACyyYaYbc_ACntF",
      "Bank.Account.sendIt(_:_:)",
      "func sendIt(_: @escaping @Sendable () async -> (), _: consuming Account) -> Account"),
    Expectation(
      "$s4Bank7AccountCySSSicig",
      "Bank.Account.subscript(_:)", "subscript(_: Int) -> String { get }"),
    Expectation(
      "$s4Bank7AccountCySSSicis",
      "Bank.Account.subscript(_:)", "subscript(_: Int) -> String { set }"),
    Expectation(
      "$s4Bank7AccountCySiSScigZ",
      "Bank.Account.subscript(_:)", "static subscript(_: String) -> Int { get }"),
    Expectation(
      "$s4Bank7AccountC4name_SiSS_Sitcig",
      "Bank.Account.subscript(name:_:)", "subscript(name: String, _: Int) -> Int { get }"),
    Expectation(
      "$s4Bank7AccountC7swapAll_4withySiz_SaySSSgGztF",
      "Bank.Account.swapAll(_:with:)", "func swapAll(_: inout Int, with: inout [String?])"),
    Expectation(
      "$s4Bank7AccountC4takeyySSn_ACtF",
      "Bank.Account.take(_:_:)", "func take(_: consuming String, _: Account)"),
    Expectation(
      "$s4Bank7AccountC5titleSSvg",
      "Bank.Account.title", "var title: String { get }"),
    Expectation(
      "$s4Bank7AccountC5titleSSvs",
      "Bank.Account.title", "var title: String { set }"),
    Expectation(
      "$s4Bank7AccountC5typedyACms5Int32VAFXCF",
      "Bank.Account.typed(_:)", "func typed(_: @convention(c) (Int32) -> Int32) -> Account.Type"),
    Expectation(
      "$s4Bank7AccountC9useSecretSiyF",
      "Bank.Account.useSecret()", "func useSecret() -> Int"),
    Expectation(
      "$s4Bank7AccountC8withdrawyS2iAA7FailureOYKF",
      "Bank.Account.withdraw(_:)", "func withdraw(_: Int) throws(Failure) -> Int"),
    Expectation(
      "$s4Bank3BoxVAASQRzlE2eeoiySbACyxG_AEtFZ",
      "Bank.Box.==(_:_:)", "static func ==(_: Box<A>, _: Box<A>) -> Bool"),
    Expectation(
      "$s4Bank3BoxV5InnerV3getyAEyx_GxF",
      "Bank.Box.Inner.get(_:)", "func get(_: A) -> Box<A>.Inner"),
    Expectation(
      "$s4Bank3BoxV5InnerV1iAEyx_GSi_tcfC",
      "Bank.Box.Inner.init(i:)", "init(i: Int)"),
    Expectation(
      "$s4Bank3BoxVyACyxGxcfC",
      "Bank.Box.init(_:)", "init(_: A)"),
    Expectation(
      "$s4Bank3BoxVAASLRzlE7largestyxxF",
      "Bank.Box.largest(_:)", "func largest(_: A) -> A"),
    Expectation(
      "$s4Bank3BoxV3mapyACyqd__Gqd__xKXEKlF",
      "Bank.Box.map(_:)", "func map<A1>(_: (A) throws -> A1) throws -> Box<A1>"),
    Expectation(
      "$s4Bank7ClampedV12wrappedValueACSi_tcfC",
      "Bank.Clamped.init(wrappedValue:)", "init(wrappedValue: Int)"),
    Expectation(
      "$s4Bank7ClampedV12wrappedValueSivg",
      "Bank.Clamped.wrappedValue", "var wrappedValue: Int { get }"),
    Expectation(
      "$s4Bank7ClampedV12wrappedValueSivs",
      "Bank.Clamped.wrappedValue", "var wrappedValue: Int { set }"),
    Expectation(
      "$s4Bank4DeskCACycfc",
      "Bank.Desk.init()", "init()"),
    Expectation(
      "$s4Bank7FailureO21__derived_enum_equalsySbAC_ACtFZ",
      "Bank.Failure.__derived_enum_equals(_:_:)",
      "static func __derived_enum_equals(_: Failure, _: Failure) -> Bool"),
    Expectation(
      "$s4Bank7FailureO4hash4intoys6HasherVz_tF",
      "Bank.Failure.hash(into:)", "func hash(into: inout Hasher)"),
    Expectation(
      "$s4Bank10localTypesSiyF1LL_VADycfC",
      "Bank.L.init()", "init()"),
    Expectation(
      "$s4Bank10localTypesSiyF1LL_V5inneryS2iF",
      "Bank.L.inner(_:)", "func inner(_: Int) -> Int"),
    Expectation(
      "$s4Bank6LedgerPAAE5twiceyy5EntryQzF",
      "Bank.Ledger.twice(_:)", "func twice(_: A.Entry)"),
    Expectation(
      "$s4Bank5PointV1poiyA2C_ACtFZ",
      "Bank.Point.+(_:_:)", "static func +(_: Point, _: Point) -> Point"),
    Expectation(
      "$s4Bank5PointV1sopyA2CFZ",
      "Bank.Point.-(_:)", "static func -(_: Point) -> Point"),
    Expectation(
      "$s4Bank5PointV23__derived_struct_equalsySbAC_ACtFZ",
      "Bank.Point.__derived_struct_equals(_:_:)",
      "static func __derived_struct_equals(_: Point, _: Point) -> Bool"),
    Expectation(
      "$s4Bank5PointV1xACSd_tcfC",
      "Bank.Point.init(x:)", "init(x: Double)"),
    Expectation(
      "$s4Bank5PointV4move2byySd_tF",
      "Bank.Point.move(by:)", "func move(by: Double)"),
    Expectation(
      "$s4Bank5ShapeO4areaSdyF",
      "Bank.Shape.area()", "func area() -> Double"),
    Expectation(
      "$s4Bank5ShapeO4nameACSgSS_tcfC",
      "Bank.Shape.init(name:)", "init?(name: String)"),
    Expectation(
      "$s4Bank5VaultC3addyS2iF",
      "Bank.Vault.add(_:)", "func add(_: Int) -> Int"),
    Expectation(
      "$s4Bank5VaultCACycfc",
      "Bank.Vault.init()", "init()"),
    Expectation(
      "$s4Bank5VaultC5totalSivg",
      "Bank.Vault.total", "var total: Int { get }"),
    Expectation(
      "$s4Bank4free_1bSbSi_SSSgtF",
      "Bank.free(_:b:)", "func free(_: Int, b: String?) -> Bool"),
    Expectation(
      "$s4Bank7generic_1uSDyxq_Gx_Sayq_GtSHRz7ElementQy_RszSTR_r0_lF",
      "Bank.generic(_:u:)",
      "func generic<A, B>(_: A, u: [B]) -> [A: B] where A: Hashable, A == B.Element, B: Sequence"),
    Expectation(
      "$s4Bank009gre_GkaIi_006ldrIFbS2i_SStF",
      "Bank.größe(_:名前:)", "func größe(_: Int, 名前: String) -> Int"),
    Expectation(
      "$s4Bank10isolatedToyyAA4DeskCYi_SiyYaYAXEtF",
      "Bank.isolatedTo(_:_:)",
      "func isolatedTo(_: isolated Desk, _: @isolated(any) () async -> Int)"),
    Expectation(
      "$s4Bank10localTypesSiyF",
      "Bank.localTypes()", "func localTypes() -> Int"),
    Expectation(
      "$s4Bank11noncopyableyyxRi_zlF",
      "Bank.noncopyable(_:)", "func noncopyable<A>(_: A) where A: ~Copyable"),
    Expectation(
      "$s4Bank6objectyxxRlzClF",
      "Bank.object(_:)", "func object<A>(_: A) -> A where A: AnyObject"),
    Expectation(
      "$s4Bank5packsyxxQp_txxQpRvzlF",
      "Bank.packs(_:)", "func packs<each A>(_: repeat A) -> (repeat A)"),
    Expectation(
      "$s4Bank4simdys6Int128Vs5SIMD4VySfG_Spys4Int8VGSgtF",
      "Bank.simd(_:_:)", "func simd(_: SIMD4<Float>, _: UnsafeMutablePointer<Int8>?) -> Int128"),
    Expectation(
      "$s4Bank3subyxxAA7AccountCRbzlF",
      "Bank.sub(_:)", "func sub<A>(_: A) -> A where A: Account"),
    Expectation(
      "$s4Bank0035withspacesanddashes_osagJJAFCjcHawayySiF",
      "Bank.with spaces and-dashes(_:)", "func `with spaces and-dashes`(_: Int)"),
    Expectation(
      "$sSa4BankSiRszlE5totalSiyF",
      "Swift.Array.total()", "func total() -> Int"),
    Expectation(
      "$sSS4BankE5shoutSSvg",
      "Swift.String.shout", "var shout: String { get }"),
  ]
}
