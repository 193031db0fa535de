// SPDX-License-Identifier: MIT

package import WaxwingLua

/// Comparisons that a conformance of the operands' type defines.
package enum Comparison {
  case equal, less, lessOrEqual

  package func isDefined(for type: any Any.Type) -> Bool {
    self == .equal ? type is any Equatable.Type : type is any Comparable.Type
  }

  /// (value, value): at least one is of the type, the other is converted to it.
  package func run(_ type: any Any.Type, _ call: inout LuaCall, _ state: LuaState) throws(LuaRaise)
  {
    let comparison = ValueComparison(type, state)
    switch self {
    case .equal: try comparison.equal(&call)
    case .less: try comparison.less(&call, orEqual: false)
    case .lessOrEqual: try comparison.less(&call, orEqual: true)
    }
  }
}
