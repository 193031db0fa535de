// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl

extension PointsListing {
  /// An override of a method, as a beginning: the first that can be overridden.
  var example: (lines: [String], owner: String) {
    let methods = points.filter {
      $0.refusal == nil && $0.opaque == nil && $0.kind == .function && $0.owner.isType
        && !$0.isStatic && LuaName.isValid($0.member) && !$0.member.hasPrefix("init")
    }
    guard let point = methods.first else {
      let owner = points.first?.owner.expression ?? "module \(LuaName.quoted(program))"
      return (["local owner = \(owner)"], owner)
    }
    let list = point.parameters.joined(separator: ", ")
    let lines = [
      "local \(point.owner.local) = \(point.owner.expression)", "", "function \(point.form)",
      "  return self:ORIG\(point.member)(\(list))", "end",
    ]
    return (lines, point.owner.expression)
  }
}
