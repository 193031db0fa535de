// SPDX-License-Identifier: MIT

import WaxwingDeclarations

/// How many values an override of a function returns.
extension FunctionDeclaration {
  private var isInitializer: Bool { kind == .initializer || kind == .allocatingInitializer }

  /// The most that have a meaning: the results, `inout` arguments, and `self` if it may be changed; nil: that
  /// cannot be told.
  var mostResults: Int? {
    if isInitializer { return nil }
    let results = result == .void ? 0 : resultElements?.count ?? 1
    let inouts = parameters.filter { $0.ownership == .inout }.count
    let isValueMember = context.memberOf.map { $0.kind != .class && !isStatic } ?? false
    return results + inouts + (isValueMember ? 1 : 0)
  }

  /// Whether an override has to return something, whatever the types of a generic function are.
  var needsResult: Bool {
    if isInitializer || result == .void || result.optionalPayload != nil { return false }
    return result.nominal != nil
  }

  /// The result's type, for messages.
  var resultText: String { "`\(result.shortDescription(in: module))`" }

  private var resultElements: [TupleElement]? {
    if case .tuple(let elements) = result { elements } else { nil }
  }
}
