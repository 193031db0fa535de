// SPDX-License-Identifier: MIT

/// What is inlined wherever it is used: in an optimised build it leaves no symbol.
public struct InlinedScale {
  public let amount: Int
  public init(amount: Int) { self.amount = amount }
  public func scaled() -> Int { zoomed() + squeezed(amount) }

  @_transparent
  private func zoomed() -> Int { amount * 10 }
}

@_transparent
private func squeezed(_ amount: Int) -> Int { amount / 10 }
