// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Any JSON: a part of a document that comes from somewhere else.
package enum JSONValue: Codable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  /// The value that the text is the JSON of; the text itself if it is none.
  package init(parsing text: String) {
    self = (try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) ?? .text(text)
  }

  package init(from decoder: any Decoder) throws {
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
    } else if let list = try? container.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
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

  /// The value with other names in all objects. If two members get one name, the first one stays.
  package func renamed(_ name: (String) -> String) -> JSONValue {
    switch self {
    case .null, .boolean, .integer, .number, .text: self
    case .list(let list): .list(list.map { $0.renamed(name) })
    case .object(let object):
      .object(
        Dictionary(
          object.map { (name($0), $1.renamed(name)) }, uniquingKeysWith: { first, _ in first }))
    }
  }
}
