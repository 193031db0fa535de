// SPDX-License-Identifier: MIT

extension FunctionDeclaration {
  private static let fileLabels: Set = ["file", "fileID", "filePath"]

  /// The indices of the parameters that take the place of a call, such as `file: StaticString =
  /// #fileID, line: UInt = #line`. The compiler writes their defaults where the function is called.
  /// Empty unless there are both a text for the file and `line: UInt`: a parameter that is only
  /// called `line` need not have a default.
  package var locationParameters: Set<Int> {
    let parameters = parameters
    func isText(_ parameter: FunctionParameter) -> Bool {
      ["Swift.String", "Swift.StaticString"].contains(parameter.type.nominal?.qualifiedName)
    }
    func isNumber(_ parameter: FunctionParameter) -> Bool {
      parameter.type.nominal?.qualifiedName == "Swift.UInt"
    }
    let files = parameters.indices.filter {
      Self.fileLabels.contains(parameters[$0].label ?? "") && isText(parameters[$0])
    }
    let lines = parameters.indices.filter {
      parameters[$0].label == "line" && isNumber(parameters[$0])
    }
    if files.isEmpty || lines.isEmpty { return [] }
    let others = parameters.indices.filter {
      parameters[$0].label == "function" && isText(parameters[$0])
        || parameters[$0].label == "column" && isNumber(parameters[$0])
    }
    return Set(files + lines + others)
  }
}
