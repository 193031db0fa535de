// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingReflection

@Suite struct ReabstractionThunkTests {
  @Test func `a thunk says how it calls what it wraps`() throws {
    // (Request) async throws -> [Quote], for one whose result is generic.
    let direct = try #require(
      ReabstractionThunk(
        forwarder:
          "$s5Vapor7RequestCSay5vshop5QuoteVGs5Error_pIeghHgozo_AcGsAH_pIeghHgrzo_TRTATu"))
    #expect(direct.passesNothingByAddress)
    #expect(direct.callsAsync)
    #expect(direct.callsThrowing)
    #expect(direct.callsEscaping)
  }

  @Test func `one that passes something by address is told apart`() throws {
    // () -> Int by address, for one that has it in a register.
    let indirect = try #require(ReabstractionThunk(forwarder: "$sSiIegr_SiIegd_TRTA"))
    #expect(!indirect.passesNothingByAddress)
    #expect(!indirect.callsAsync)
    #expect(!indirect.callsThrowing)
    let lent = try #require(ReabstractionThunk(forwarder: "$sSiIgd_SiIegr_TRTA"))
    #expect(lent.passesNothingByAddress)
    #expect(!lent.callsEscaping)
  }

  @Test(arguments: ["$sSiIegd_SiIegr_TR", "$s5modes4fooSiyFTA", "main", "TRTA", "$sTRTA"])
  func `what is none is not taken for one`(symbol: String) {
    #expect(ReabstractionThunk(forwarder: symbol) == nil)
  }
}
