// SPDX-License-Identifier: MIT

import Foundation
import WaxwingControl
import WaxwingDeclarations
import WaxwingToolKit

/// The server's side of the Model Context Protocol, one JSON-RPC 2.0 message a line: it offers tools.
/// <https://modelcontextprotocol.io/specification/2025-06-18>
struct AssistantServer {
  /// The error of a request, with the number that JSON-RPC has for it.
  private struct Failure: Error {
    let code: Int
    let message: String

    static let parse = Failure(code: -32700, message: "the line is no JSON")
    static let request = Failure(code: -32600, message: "the message is no JSON-RPC 2.0 request")
  }

  /// The newest last. The messages that are used here are the same in all of them.
  private static let versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

  private let tools: AssistantTools

  init(tools: AssistantTools) {
    self.tools = tools
  }

  /// Answers a message.
  /// - Returns: One line; nil: the message wants no answer.
  mutating func answer(to line: String) -> String? {
    if line.allSatisfy(\.isWhitespace) { return nil }
    var id: Any = NSNull()
    do {
      guard let value = try? JSONSerialization.jsonObject(with: Data(line.utf8)) else {
        throw Failure.parse
      }
      guard let message = value as? [String: Any], message["jsonrpc"] as? String == "2.0" else {
        throw Failure.request
      }
      if let given = message["id"], given is String || given is NSNumber { id = given }
      guard let method = message["method"] as? String else {
        // The answer to a request of ours, of which there are none.
        if message["result"] != nil || message["error"] != nil { return nil }
        throw Failure.request
      }
      guard message["id"] != nil else { return nil }
      let result = try result(of: method, message["params"] as? [String: Any] ?? [:])
      return Self.text(["jsonrpc": "2.0", "id": id, "result": result])
    } catch {
      let failure = error as? Failure ?? .request
      return Self.text([
        "jsonrpc": "2.0", "id": id,
        "error": ["code": failure.code, "message": failure.message] as [String: Any],
      ])
    }
  }

  private func result(of method: String, _ parameters: [String: Any]) throws -> [String: Any] {
    switch method {
    case "initialize": return welcome(parameters)
    case "ping": return [:]
    case "tools/list": return ["tools": tools.all.map(\.description)]
    case "tools/call": return try call(parameters)
    default: throw Failure(code: -32601, message: "there is no method '\(method)'")
    }
  }

  private func welcome(_ parameters: [String: Any]) -> [String: Any] {
    let wanted = parameters["protocolVersion"] as? String ?? ""
    let version = Self.versions.contains(wanted) ? wanted : Self.versions.last ?? wanted
    return [
      "protocolVersion": version,
      "capabilities": ["tools": [String: Any]()],
      "serverInfo": ["name": "waxwing", "version": ControlProtocol.engineVersion],
      "instructions": tools.instructions,
    ]
  }

  private func call(_ parameters: [String: Any]) throws -> [String: Any] {
    guard let name = parameters["name"] as? String else {
      throw Failure(code: -32602, message: "the name of the tool is missing")
    }
    guard let tool = tools.all.first(where: { $0.name == name }) else {
      let question = NearestNames.question(for: name, in: tools.all.map(\.name)) ?? ""
      throw Failure(
        code: -32602,
        message: "there is no tool '\(name)'" + (question.isEmpty ? "" : "; \(question)"))
    }
    guard let arguments = (parameters["arguments"] ?? [String: Any]()) as? [String: Any] else {
      throw Failure(code: -32602, message: "the arguments of '\(name)' are no object")
    }
    let outcome = tool.call(arguments, tools.daemon, tools.timeout)
    return [
      "content": [["type": "text", "text": outcome.text]],
      "isError": !outcome.isSuccess,
    ]
  }

  private static func text(_ message: [String: Any]) -> String {
    let json = try? JSONSerialization.data(
      withJSONObject: message, options: [.sortedKeys, .withoutEscapingSlashes])
    return VisibleText.json(String(decoding: json ?? Data("{}".utf8), as: UTF8.self))
  }
}
