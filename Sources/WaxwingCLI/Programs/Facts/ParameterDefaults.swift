// SPDX-License-Identifier: MIT

/// The default values in a function's declaration, `init(_ status: Status, headers: Headers = [:])`.
struct ParameterDefaults {
  /// The texts of the values as the source has them, by the parameter's index.
  private(set) var values: [Int: String] = [:]

  /// - Parameter fragments: Of the declaration. Each parameter begins with one of the kind `externalParam`.
  init(_ fragments: [SymbolGraph.Symbol.Fragment]) {
    var parameters: [String] = []
    for fragment in fragments {
      if fragment.kind == "externalParam" { parameters.append("") }
      if !parameters.isEmpty { parameters[parameters.count - 1] += fragment.spelling }
    }
    for (index, text) in parameters.enumerated() {
      if let value = Self.value(text) { values[index] = value }
    }
  }

  /// The value of `headers: Headers = [:], `; the last parameter is followed by the rest of the function.
  private static func value(_ text: String) -> String? {
    guard let sign = text.firstRange(of: " = ") else { return nil }
    let value = text[sign.upperBound...]
    var depth = 0
    var end = value.endIndex
    var isInString = false
    for index in value.indices {
      switch value[index] {
      case "\"": isInString.toggle()
      case _ where isInString: continue
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "," where depth == 0 && value[index...] == ", ": depth = -1
      default: continue
      }
      if depth < 0 {
        end = index
        break
      }
    }
    let found = String(value[..<end])
    return found.isEmpty || isInString ? nil : found
  }
}
