// SPDX-License-Identifier: MIT

/// The number printed on a statement: the identifier with a check digit.
func accountNumber(for id: Int) -> String {
  let digits = String(id).compactMap(\.wholeNumberValue)
  let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
    sum + digit.element * (digit.offset.isMultiple(of: 2) ? 3 : 1)
  }
  return "BK-\(id)-\((10 - sum % 10) % 10)"
}
