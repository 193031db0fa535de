// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingReflection

@Suite struct CopiedFunctionTests {
  @Test(arguments: [
    // For types, for arguments, and both.
    ("$s5modes7copied0yxxyKcKlFSi_Tg5", "$s5modes7copied0yxxyKcKlF"),
    ("$s5modes7copied0yxxyKcKlFTf4n_n", "$s5modes7copied0yxxyKcKlF"),
    ("$s5modes7copied0yxxyKcKlFSi_Tg5Tf4n_n", "$s5modes7copied0yxxyKcKlF"),
  ])
  func `a copy is of its function`(copy: String, function: String) throws {
    #expect(try #require(CopiedFunction(of: copy)).symbol == function)
  }

  @Test(arguments: [
    "$s5modes7copied0yxxyKcKlF",  // no copy
    "$s5modes7copied0yxxyKcKlFyyc_Tg5",  // for closures as values of a generic type
    // Has the code of the closure.
    "$s5modes7copied0yxxyKcKlFSi_Tg525$s5modes6case16yyFSiycfU_SiTf1c_n",
    "main", "$s", "$sTg5", "$s3WebTg5", "Tg5", "$s5modes7copied0Tf4nnd_n",
  ])
  func `what is none, and what gets functions for a generic type, is not taken for one`(
    symbol: String
  ) {
    #expect(CopiedFunction(of: symbol) == nil)
  }
}
