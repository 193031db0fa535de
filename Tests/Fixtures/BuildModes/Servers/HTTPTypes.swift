// SPDX-License-Identifier: MIT

// Small stand-ins for the modules that servers are made of, with declarations as theirs: what patches name.

public struct HTTPField: Sendable {
  public struct Name: Hashable, Sendable {
    public let rawName: String
    public init?(_ name: String) { rawName = name.lowercased() }
    public static var contentType: Name { Name("content-type")! }
    public static var location: Name { Name("location")! }
    public static var authorization: Name { Name("authorization")! }
    public static var server: Name { Name("server")! }
  }
}
public struct HTTPFields: ExpressibleByDictionaryLiteral, Sendable {
  var fields: [(HTTPField.Name, String)] = []
  public init() {}
  public init(dictionaryLiteral elements: (HTTPField.Name, String)...) { fields = elements }
  public subscript(name: HTTPField.Name) -> String? {
    get { fields.first { $0.0 == name }?.1 }
    set {
      fields.removeAll { $0.0 == name }
      if let newValue { fields.append((name, newValue)) }
    }
  }
  public var text: String {
    fields.map { "\($0.0.rawName)=\($0.1)" }.sorted().joined(separator: " ")
  }
}
public struct HTTPRequest: Sendable {
  public struct Method: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init?(rawValue: String) { self.rawValue = rawValue }
    public init?(_ rawValue: String) { self.rawValue = rawValue }
    public static var get: Method { Method("GET")! }
    public static var post: Method { Method("POST")! }
    public static var delete: Method { Method("DELETE")! }
  }
}
public struct HTTPResponse: Sendable {
  public struct Status: Hashable, Sendable {
    public let code: Int
    public init(code: Int) { self.code = code }
    public static var ok: Status { Status(code: 200) }
    public static var created: Status { Status(code: 201) }
    public static var accepted: Status { Status(code: 202) }
    public static var noContent: Status { Status(code: 204) }
    public static var badRequest: Status { Status(code: 400) }
    public static var unauthorized: Status { Status(code: 401) }
    public static var forbidden: Status { Status(code: 403) }
    public static var notFound: Status { Status(code: 404) }
    public static var conflict: Status { Status(code: 409) }
  }
}
