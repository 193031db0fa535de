// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingReflection

/// The names of an enum's cases, as aliases for strings: of all, and of those without payload, which a
/// string may stand for where Swift expects the enum.
struct CaseNames {
  private let all: [String]
  private let plain: [String]

  /// - Returns: nil: it has no cases.
  init?(_ fields: FieldCatalog.Fields) {
    guard fields.isEnum, !fields.records.isEmpty, !fields.records.contains(where: \.name.isEmpty)
    else { return nil }
    all = fields.records.map(\.name)
    plain = fields.records.filter { !$0.hasPayload }.map(\.name)
  }

  /// The alias for what a script gives, in the class of the type; nil: each case has a payload.
  var givenAlias: String? { plain.isEmpty ? nil : plain == all ? "case" : "plainCase" }

  /// - Parameter values: The class of the type's values.
  func lines(of values: String) -> [String] {
    let given = givenAlias == "plainCase" ? [Self.line(values, "plainCase", plain)] : []
    return [Self.line(values, "case", all)] + given + [""]
  }

  private static func line(_ values: String, _ alias: String, _ names: [String]) -> String {
    "---@alias \(values).Type.\(alias) "
      + names.map { LuaName.quoted($0) }.joined(separator: "|")
  }
}
