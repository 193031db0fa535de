// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingDeclarations

/// A function in a file of definitions: several signatures under one name.
struct LuaDefinition {
  struct Parameter: Hashable {
    let name: String
    let type: String
    var isOptional = false

    var text: String { "\(name)\(isOptional ? "?" : ""): \(LuaTypeNames.listed(type))" }
  }

  /// One way to call the function.
  struct Signature: Hashable {
    var parameters: [Parameter]
    var results: [String]
    var isAsync = false
  }

  /// The name as a script writes it after the table.
  let name: String
  /// Whether the function is called with a colon.
  let takesSelf: Bool
  var signatures: [Signature]
  /// Lines of a comment.
  var comment: [String]

  /// - Parameters:
  ///   - table: The variable that it is a field of.
  ///   - owner: The class of `self`.
  func lines(in table: String, owner: String) -> [String] {
    guard let first = signatures.first else { return [] }
    var lines = Self.comment(comment)
    lines += first.isAsync ? ["---@async"] : []
    let isPlain = LuaName.isValid(name)
    if takesSelf, !isPlain { lines.append("---@param self \(owner)") }
    lines += first.parameters.map { parameter in
      "---@param \(parameter.name)\(parameter.isOptional ? "?" : "") \(parameter.type)"
    }
    lines += first.results.map { "---@return \($0)" }
    lines += signatures.dropFirst().map { "---@overload " + Self.text($0, takesSelf ? owner : nil) }
    let names = first.parameters.map(\.name)
    if isPlain {
      let list = names.joined(separator: ", ")
      return lines + ["function \(table)\(takesSelf ? ":" : ".")\(name)(\(list)) end"]
    }
    let list = ((takesSelf ? ["self"] : []) + names).joined(separator: ", ")
    return lines + ["\(table)[\(LuaName.quoted(name))] = function(\(list)) end"]
  }

  /// A signature as a type.
  static func text(_ signature: Signature, _ owner: String?) -> String {
    let own = owner.map { ["self: \($0)"] } ?? []
    return LuaTypeNames.function(own + signature.parameters.map(\.text), signature.results)
  }

  /// A comment, none of whose lines is an annotation, whatever is in it.
  static func comment(_ lines: [String]) -> [String] {
    lines.flatMap { $0.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
      .map { line in
        let text = VisibleText.line(String(line))
        let start = text.first { $0 != " " }
        // Before these an annotation may have spaces.
        let isMark = start == "@" || start == "|"
        return "---" + (isMark ? "\\" + text.drop { $0 == " " } : text)
      }
  }
}
