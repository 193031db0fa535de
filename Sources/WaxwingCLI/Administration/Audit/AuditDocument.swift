// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Records of an audit log as `--json` has them: with the names that all documents of the tool have. The
/// file itself is what the chain of hashes is of.
struct AuditDocument: Encodable {
  private let records: [Value]

  init(lines: [String]) {
    records = lines.map { line in
      (try? JSONDecoder().decode(Value.self, from: Data(line.utf8)))
        ?? .object(["unreadable": .text(line)])
    }
  }

  func encode(to encoder: any Encoder) throws { try records.encode(to: encoder) }

  /// Any value of JSON.
  private enum Value: Codable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([Value])
    case object([String: Value])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .boolean(flag)
      } else if let number = try? container.decode(Int.self) {
        self = .integer(number)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let list = try? container.decode([Value].self) {
        self = .list(list)
      } else {
        let object = try container.decode([String: Value].self)
        self = .object(
          Dictionary(object.map { (Self.name($0), $1) }, uniquingKeysWith: { first, _ in first }))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .boolean(let flag): try container.encode(flag)
      case .integer(let number): try container.encode(number)
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      case .list(let list): try container.encode(list)
      case .object(let object): try container.encode(object)
      }
    }

    /// A name in camel case: `daemon_pid` becomes `daemonPid`.
    private static func name(_ name: String) -> String {
      let words = name.split(separator: "_")
      guard let first = words.first, words.count > 1 else { return name }
      return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
  }
}
