// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection
import WaxwingToolKit

/// Checks constants that cannot become the type that they are used as, and the results of
/// overrides.
extension NameCheck {
  mutating func checkConstant(_ value: LuaExpression, _ type: TypeNode, _ what: String) {
    guard let constant = ConstantKind(value), let program,
      let refused = constant.refused(by: type, program)
    else { return }
    add(
      .value, value.place,
      "\(what) is \(Self.article(refused)) `\(refused)`, and \(constant.words) cannot become one")
  }

  static func article(_ name: String) -> String {
    let last = name.split(separator: ".").last ?? ""
    return last.first.map { "AEIOU".contains($0) } == true && !last.hasPrefix("U") ? "an" : "a"
  }

  /// Checks the results that an override returns, as far as its text shows them.
  mutating func checkResults(
    _ override: PatchOutline.Override, _ function: FunctionDeclaration
  ) {
    guard override.kind == .override, let body = override.function?.body else { return }
    for values in LuaReturns(body).values {
      guard let first = values.first else { continue }
      checkConstant(first, function.result, "the result of `\(function.selector)`")
      checkCount(values, function)
    }
  }

  /// Reports more values than the function returns.
  mutating func checkCount(_ values: [LuaExpression], _ function: FunctionDeclaration) {
    guard let most = function.mostResults else { return }
    var values = values[...]
    while let last = values.last, ConstantKind(last) == .nothing { values = values.dropLast() }
    let certain = values.count - (values.last?.hasManyValues == true ? 1 : 0)
    guard certain > most else { return }
    add(
      .value, values[most].place,
      "the override returns \(counted(values.count, "value")), and `\(function.selector)` "
        + (most == 0 ? "returns none" : "has \(counted(most, "result"))"),
      remedy: "leave out what would be dropped", as: most == 0 ? .warning : .error)
  }

  /// Whether an override of a function that has a result never returns one.
  func returnsNothing(_ override: PatchOutline.Override) -> Bool {
    guard let program, override.kind == .override, let body = override.function?.body,
      let scope = scopes(override.target, program).first,
      let function = point(override, scope, program)?.declaration, function.needsResult
    else { return false }
    let returns = LuaReturns(body)
    return returns.values.allSatisfy(\.isEmpty) && (!returns.values.isEmpty || returns.endsReached)
  }

  /// Adds a finding about a missing result, unless another finding exists for the override, as the
  /// result may depend on that.
  mutating func addMissingResult(
    _ override: PatchOutline.Override, _ outline: PatchOutline
  ) {
    let path = patch.path(of: file)
    let next = outline.overrides.map(\.place).filter { $0 > override.place }.min()
    let isKnown = findings.contains { finding in
      let place = TextPlace(line: finding.line, column: finding.column)
      return finding.path == path && place >= override.place && next.map { place < $0 } ?? true
    }
    guard let program, let scope = scopes(override.target, program).first, !isKnown,
      let function = point(override, scope, program)?.declaration
    else { return }
    add(
      .value, override.place,
      "the override returns nothing, and `\(function.selector)` has a result, \(function.resultText)",
      remedy: "return a value, such as what `original(…)` returns")
  }
}
