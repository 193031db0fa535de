// SPDX-License-Identifier: MIT

public enum HTTPResponseStatus: Sendable, Equatable {
  case ok, created, badRequest, unauthorized, forbidden, notFound, conflict, imATeapot
  case custom(code: UInt, reasonPhrase: String)
  public var code: UInt {
    switch self {
    case .ok: 200
    case .created: 201
    case .badRequest: 400
    case .unauthorized: 401
    case .forbidden: 403
    case .notFound: 404
    case .conflict: 409
    case .imATeapot: 418
    case .custom(let code, _): code
    }
  }
}
public enum HTTPMethod: Sendable, Equatable {
  case GET, POST, DELETE
  case RAW(value: String)
}
public struct HTTPVersion: Sendable, Equatable {
  var numbers: (UInt16, UInt16)
  public init(major: Int, minor: Int) { numbers = (UInt16(major), UInt16(minor)) }
  public static let http1_1 = HTTPVersion(major: 1, minor: 1)
  public static func == (left: HTTPVersion, right: HTTPVersion) -> Bool {
    left.numbers == right.numbers
  }
}
public struct HTTPHeaders: ExpressibleByDictionaryLiteral, Sequence, Sendable {
  var headers: [(String, String)]
  public init(_ headers: [(String, String)] = []) { self.headers = headers }
  public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
  public func makeIterator() -> some IteratorProtocol<(String, String)> { headers.makeIterator() }
  public mutating func add(name: String, value: String) { headers.append((name, value)) }
  public mutating func add<S: Sequence>(contentsOf other: S) where S.Element == (String, String) {
    headers += other
  }
  public mutating func add(contentsOf other: HTTPHeaders) { headers += other.headers }
  public mutating func replaceOrAdd(name: String, value: String) {
    headers.removeAll { $0.0 == name }
    headers.append((name, value))
  }
  public func first(name: String) -> String? { headers.first { $0.0 == name }?.1 }
  public func contains(name: String) -> Bool { first(name: name) != nil }
  public subscript(name: String) -> [String] { headers.filter { $0.0 == name }.map(\.1) }
  public var text: String { headers.map { "\($0.0)=\($0.1)" }.sorted().joined(separator: " ") }
}
