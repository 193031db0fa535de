// SPDX-License-Identifier: MIT

/// What threads call while patches come and go. Each function's result tells which overrides the
/// call went through: they put a number of their own behind what the original returned, which is
/// nothing. `TortureLedger` counts the bodies that ran, so that both can be compared.
public final class TortureSubject: Sendable {
  public init() {}

  public func number(_ n: Int) -> Int {
    TortureLedger.ran(.number)
    return 0
  }

  public func text(_ text: String) -> String {
    TortureLedger.ran(.text)
    return "[\(text)]"
  }

  public func token(_ token: TortureToken) -> TortureToken {
    TortureLedger.ran(.token)
    return TortureToken(token)
  }

  public func lamp(_ n: Int) -> TortureLamp {
    TortureLedger.ran(.lamp)
    return TortureLamp(trace: 0)
  }

  public func risky(_ n: Int) throws -> Int {
    TortureLedger.ran(.risky)
    if n % 2 == 1 { throw TortureFault(0) }
    return 0
  }

  public func apply(_ body: (Int) -> Int, _ n: Int) -> Int {
    TortureLedger.ran(.apply)
    return body(n)
  }

  public func generic<Value>(_ value: Value) -> Int {
    TortureLedger.ran(.generic)
    return 0
  }

  public func descend(_ n: Int) -> Int {
    TortureLedger.ran(.descend)
    return n == 0 ? 0 : descend(n - 1) + 1
  }

  public func nested(_ sink: TortureSink) -> Int {
    TortureLedger.ran(.nested)
    sink.add(number(1))
    return 0
  }

  public func later(_ n: Int) async -> Int {
    TortureLedger.ran(.later)
    await Task.yield()
    return 0
  }

  public func blocks(_ gate: TortureGate) -> Int {
    TortureLedger.ran(.blocks)
    gate.pass()
    return 0
  }
}

public func tortureLate(_ n: Int) -> Int {
  TortureLedger.ran(.late)
  return 0
}
