// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations

@Suite struct NearestNamesTests {
  static let methods = ["deposit(_:)", "withdraw(_:memo:)", "transfer(_:to:)", "audit()", "title"]

  @Test(arguments: [
    ("withdrow(_:memo:)", ["withdraw(_:memo:)"]), ("desposit(_:)", ["deposit(_:)"]),
    ("withdraw", ["withdraw(_:memo:)"]), ("Audit()", ["audit()"]), ("tilte", ["title"]),
    ("somethingElse", []), ("x", []), ("", []),
  ])
  func `near names are found and far ones are not`(name: String, nearest: [String]) {
    #expect(NearestNames.nearest(to: name, in: Self.methods) == nearest)
  }

  @Test func `the nearest comes first and ties are in order of the alphabet`() {
    let names = ["balance", "balances", "valance", "unrelated"]
    #expect(NearestNames.nearest(to: "balanc", in: names) == ["balance", "balances", "valance"])
    #expect(NearestNames.nearest(to: "balanc", in: names, limit: 1) == ["balance"])
  }

  @Test func `a name that is near is as near whatever the limit is`() {
    var state: UInt64 = 7
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let letters = Array("abAB_é".unicodeScalars)
    for _ in 0..<2000 {
      let a = (0..<next(10)).map { _ in letters[next(letters.count)] }
      let b = (0..<next(10)).map { _ in letters[next(letters.count)] }
      let limit = next(13)
      let whole = NearestNames.distance(a, b)
      let bounded = NearestNames.distance(a, b, atMost: limit)
      #expect(whole <= limit ? bounded == whole : bounded > limit, "\(a) \(b) \(limit)")
    }
  }

  @Test(arguments: [
    (["apply"], "did you mean 'apply'?"), (["apply", "apple"], "did you mean 'apple' or 'apply'?"),
    ([], nil),
  ])
  func `a question names all that are near`(names: [String], question: String?) {
    #expect(NearestNames.question(for: "appl", in: names) == question)
  }
}
