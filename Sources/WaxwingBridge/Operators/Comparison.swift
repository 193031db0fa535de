// SPDX-License-Identifier: MIT

/// Comparisons that a conformance of the operands' type defines.
enum Comparison {
  case equal, less, lessOrEqual

  /// nil: the operands are not of one type, or it does not conform. The program's code may run.
  func result(_ left: Operand, _ right: Operand) -> Bool? {
    guard let type = left.type, let other = right.type, type == other,
      let left = left.contents, let right = right.contents
    else { return nil }
    switch self {
    case .equal: return (left as? any Equatable)?.isEqual(to: right)
    case .less: return (left as? any Comparable)?.isLess(than: right)
    case .lessOrEqual: return (left as? any Comparable)?.isLessOrEqual(to: right)
    }
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool? { (other as? Self).map { self == $0 } }
}

extension Comparable {
  fileprivate func isLess(than other: Any) -> Bool? { (other as? Self).map { self < $0 } }
  fileprivate func isLessOrEqual(to other: Any) -> Bool? { (other as? Self).map { self <= $0 } }
}
