// SPDX-License-Identifier: MIT

public import TortureFixture

/// As `TortureSubject`, in a module that is compiled without implicit dynamic: its methods have no replacement entries, so
/// that patches rewrite their code.
public final class TortureShop: Sendable {
  public init() {}

  @inline(never) public func plain(_ n: Int) -> Int {
    ran(.plain)
    return 0
  }

  @inline(never) public func holds(_ gate: TortureGate) -> Int {
    ran(.holds)
    gate.pass()
    return 0
  }
}

/// What code of this module does alone: the optimiser leaves functions that call it here, and makes no copies of them for
/// other modules.
@inline(never) private func ran(_ kind: TortureKind) {
  TortureLedger.ran(kind)
}

/// Hands closures over, as a server does with its routes.
@inline(never) public func tortureRoutes(_ router: TortureRouter, _ name: String) {
  // Patches rewrite its code.
  router.on(rule: { n in
    ran(.rule)
    return name.utf8.count - 1
  })
  // It is async: patches change its async function pointer.
  router.on(route: { n in
    ran(.route)
    await Task.yield()
    if n % 2 == 1 { throw TortureFault(name.utf8.count - 1) }
    return name.utf8.count - 1
  })
}
