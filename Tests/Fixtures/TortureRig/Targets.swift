// SPDX-License-Identifier: MIT

import TortureFixture
import TorturePlain
import TortureProbe

/// What is called.
struct Targets: Sendable {
  let subject = TortureSubject()
  let shop = TortureShop()
  let rule: TortureRouter.Rule
  let route: TortureRouter.Route

  init() {
    let router = TortureRouter()
    tortureRoutes(router, "/")
    rule = router.rule
    route = router.route
  }

  /// Where calls of functions without a replacement entry go: their code, and for `route` its async function pointer.
  var places: [(kind: TortureKind, address: UInt)] {
    // A function that is passed as a generic argument gets another form, one in a struct does not.
    struct Closures {
      let rule: TortureRouter.Rule
      let route: TortureRouter.Route
    }
    let words = unsafeBitCast(
      Closures(rule: rule, route: route), to: (UInt, UInt, UInt, UInt).self)
    return [
      (.plain, UInt(bitPattern: torture_plain_code())),
      (.holds, UInt(bitPattern: torture_holds_code())), (.rule, words.0), (.route, words.2),
    ]
  }
}
