// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import WaxwingToolKit

/// A tool that an assistant can call: a command of this tool, run as a process of its own.
struct AssistantTool {
  struct Parameter {
    enum Kind: String {
      case string, number, boolean
    }

    let name: String
    let kind: Kind
    let meaning: String
    let isRequired: Bool

    init(_ name: String, _ meaning: String, kind: Kind = .string, isRequired: Bool = false) {
      self.name = name
      self.kind = kind
      self.meaning = meaning
      self.isRequired = isRequired
    }
  }

  /// The words of a command, and its input.
  struct CommandLine {
    var words: [String]
    var input: String?
  }

  struct Outcome {
    let text: String
    let isSuccess: Bool
  }

  let name: String
  let summary: String
  let parameters: [Parameter]
  /// Whether the program is the same after it.
  var isReadOnly = true
  /// Whether the tool takes the options that name a daemon.
  var hasDaemon = true
  let line: (Values) -> CommandLine

  /// Bytes of output that are passed on.
  private static let mostOutput = 60_000

  /// The description of the tool in the form of the protocol.
  var description: [String: Any] {
    var properties: [String: Any] = [:]
    for parameter in parameters {
      properties[parameter.name] = [
        "type": parameter.kind.rawValue, "description": parameter.meaning,
      ]
    }
    return [
      "name": name,
      "description": summary,
      "inputSchema": [
        "type": "object", "properties": properties, "additionalProperties": false,
        "required": parameters.filter(\.isRequired).map(\.name),
      ] as [String: Any],
      "annotations": ["readOnlyHint": isReadOnly, "openWorldHint": false],
    ]
  }

  /// Runs the command.
  /// - Parameter daemon: The options that say which one; empty: the assistant chooses.
  func call(_ arguments: [String: Any], _ daemon: [String], _ timeout: [String] = []) -> Outcome {
    let values: Values
    do throws(Values.ArgumentError) { values = try Values(arguments, of: parameters) } catch {
      return Outcome(text: "\(name): \(error.message)", isSuccess: false)
    }
    let line = line(values)
    let chosen = values["program"].map { ["--program", $0] } ?? []
    let words =
      [line.words[0]] + (hasDaemon ? daemon + chosen + timeout : []) + line.words.dropFirst()
    do throws(FilteringError) {
      let result = try Filter(["/proc/self/exe"] + words, environment: ["NO_COLOR": "1"])
        .result(of: Data((line.input ?? "").utf8))
      let text = [result.output, result.errors].map { String(decoding: $0, as: UTF8.self) }
        .filter { !$0.isEmpty }.joined(separator: "\n")
      return Outcome(text: Self.cut(text), isSuccess: result.status == 0)
    } catch {
      return Outcome(text: error.message, isSuccess: false)
    }
  }

  private static func cut(_ text: String) -> String {
    let count = text.utf8.count
    guard count > mostOutput else { return text }
    return String(decoding: text.utf8.prefix(mostOutput), as: UTF8.self)
      + "\n… \(count - mostOutput) more bytes are left out: ask for less"
  }
}

extension AssistantTool {
  /// The arguments of one call, as words.
  struct Values {
    struct ArgumentError: Error {
      let message: String
    }

    private var words: [String: String] = [:]

    init(_ arguments: [String: Any], of parameters: [Parameter]) throws(ArgumentError) {
      for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
        guard let parameter = parameters.first(where: { $0.name == name }) else {
          throw ArgumentError(message: "there is no parameter '\(name)'")
        }
        guard let word = Self.word(value, parameter.kind) else {
          throw ArgumentError(message: "'\(name)' is a \(parameter.kind.rawValue)")
        }
        if word.utf8.contains(0) {
          throw ArgumentError(message: "'\(name)' has a zero byte")
        }
        // Left out it means something else, such as a patch that stays for good.
        guard !word.isEmpty || parameter.isRequired else {
          throw ArgumentError(message: "'\(name)' is empty: leave it out, or give a value")
        }
        words[name] = word
      }
      if let missing = parameters.first(where: { $0.isRequired && words[$0.name] == nil }) {
        throw ArgumentError(message: "'\(missing.name)' is missing")
      }
    }

    /// The word for a value; nil if the value is of another kind.
    private static func word(_ value: Any, _ kind: Parameter.Kind) -> String? {
      if kind == .string { return value as? String }
      guard let number = value as? NSNumber else { return nil }
      // JSON's true is a number as well, of the type `char`.
      let isBoolean = unsafe ["c", "B"].contains(String(cString: number.objCType))
      return isBoolean == (kind == .boolean)
        ? (isBoolean ? "\(number.boolValue)" : "\(number.doubleValue)") : nil
    }

    subscript(name: String) -> String? { words[name] }

    /// Within bounds, whatever is asked for.
    func number(_ name: String, usually usual: Int, atMost most: Int) -> String {
      let number = words[name].flatMap(Double.init) ?? Double(usual)
      return "\(Int(min(max(number, 1), Double(most))))"
    }

    func has(_ name: String) -> Bool { words[name] == "true" }

    /// An option with its value, in one word: the value may begin with a dash.
    func option(_ option: String, _ name: String) -> [String] {
      words[name].map { $0.isEmpty ? [] : ["\(option)=\($0)"] } ?? []
    }
  }
}
