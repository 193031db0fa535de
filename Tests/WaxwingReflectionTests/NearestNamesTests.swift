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
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      func word() -> [Unicode.Scalar] {
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
          Array("abAB_é".unicodeScalars).randomElement(using: &random)!
        }
      }
      let (a, b, limit) = (word(), word(), Int.random(in: 0...12, using: &random))
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
