// SPDX-License-Identifier: MIT

import SeededRandom
import Testing

@testable import WaxwingDeclarations
@testable import WaxwingReflection

/// Which symbols are not worth parsing.
@Suite struct NameInSymbolTests {
  private static func mayBe(_ name: String, in symbol: String) -> Bool {
    var symbol = symbol
    return symbol.withUTF8 { NameInSymbol(name).mayBeIn(UnsafeRawBufferPointer($0)) }
  }

  @Test func `a name is found wherever it is spelled`() {
    #expect(Self.mayBe("open", in: "$s4Bank4CageC4openySSSSF"))
    #expect(Self.mayBe("open", in: "4open"))
    #expect(!Self.mayBe("open", in: "$s4Bank4CageC5closeySSSSF"))
    #expect(!Self.mayBe("open", in: "$s4Bank4CageC3opeySSSSF"))
    #expect(!Self.mayBe("open", in: ""))
  }

  @Test func `a 0 that begins a number may spell any name, one inside a number does not`() {
    #expect(Self.mayBe("open", in: "$s4Bank0A5ClerkCyF"))
    #expect(Self.mayBe("open", in: "0A"))
    #expect(Self.mayBe("open", in: "x10abcdefghij0A"))
    #expect(!Self.mayBe("open", in: "$s10abcdefghijC100yF"))
  }

  @Test func `initializers and subscripts are not spelled, so each symbol may be one`() {
    for name in ["init", "subscript"] {
      #expect(Self.mayBe(name, in: "$s4Bank4CageCACycfC"))
      #expect(Self.mayBe(name, in: ""))
    }
  }

  /// No name is missed that the symbol has, wherever its bytes begin.
  @Test func `random symbols`() {
    let seed = TestSeed.drawn
    var random = seed.generator
    for _ in 0..<2_000 {
      let symbol = String(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          "014ab".randomElement(using: &random) ?? "a"
        })
      let bytes = Array(symbol.utf8)
      let hasWord = bytes.indices.contains { index in
        bytes[index] == 0x30 && (index == 0 || !(0x30...0x39).contains(bytes[index - 1]))
      }
      let isExpected = hasWord || symbol.contains("abba")
      #expect(Self.mayBe("abba", in: symbol) == isExpected, "\(symbol), \(seed)")
      #expect(Self.mayBe("abba", in: symbol + "abba" + symbol), "\(symbol), \(seed)")
    }
  }

  @Test(arguments: [
    ("$s4Base5TimerC4stopyyF", "Base"), ("$s4Base5TimerC5ExtraE5localSiyF", "Extra"),
    ("$s4Base5TimerC5ExtraE7measure5label4bodyxSS_xyKctKlFZTm", "Extra"),
    ("$s4Base5TimerC5ExtraE7measure5label4bodyxSS_xyKctKlFZSi_Tg5", nil),
    ("$s4Base4sortyxxlFSi_Tg5", nil), ("$s4Base4stopyySaySiGFTf4g_n", nil),
    ("$s4Base4stopyyFyycfU_TA", "Base"),
    ("$s4Base5TimerC5ExtraE5localSiyFSiycfU_TA", "Extra"),
    ("$s4Base5TimerC5ExtraE5tableSDyS2iGvpZ_WZ", "Extra"), ("$s4Base5tableSDyS2iGvp_WZ", "Base"),
    ("$s4Base5TimerC5countSivpfi", "Base"), ("$sSi5ExtraE5twiceSiyF", "Extra"),
    ("$s4Base5TimerCMa", "Base"),
    ("$s4Base5TimerCAA4Kept5ExtraAaDP3runyqd__AC_qd__yKcSitKlFZTW", "Extra"),
    ("$s4Base5TimerCAA4KeptA2aDP3runyqd__AC_qd__yKcSitKlFZTW", "Base"),
    ("$sSS5Extra4KeptA2aBP3runSiyFTW", "Extra"), ("$sSS5Extra4KeptA2aBP3runSiyFTWTm", "Extra"),
    ("$s4Base3TWOC4stopyyF", "Base"), ("$s4Base3TWOCMa", nil),
  ])
  func `what an extension adds is of the extension's module`(symbol: String, module: String?) {
    #expect(SymbolModule.ofCode(symbol) == module)
  }
}
