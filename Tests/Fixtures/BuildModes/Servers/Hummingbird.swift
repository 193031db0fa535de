// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Logging
import NIOCore

public struct FlatDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  var values: [(Key, Value)] = []
  public init() {}
  public subscript(key: Key) -> Value? { values.first { $0.0 == key }?.1 }
}
extension FlatDictionary where Key == Substring, Value == Substring {
  public func get(_ name: String) -> String? { self[name[...]].map(String.init) }
  public func get<T: LosslessStringConvertible>(_ name: String, as: T.Type) -> T? {
    get(name).flatMap(T.init)
  }
  public func require<T: LosslessStringConvertible>(_ name: String, as: T.Type) throws -> T {
    guard let value = get(name, as: T.self) else { throw HTTPError(.badRequest, message: name) }
    return value
  }
}
public typealias Parameters = FlatDictionary<Substring, Substring>
public struct URI: Sendable {
  public let path: String
  public var queryParameters: Parameters { Parameters() }
}
public struct Request: Sendable {
  public var method: HTTPRequest.Method
  public var uri: URI
  public var headers: HTTPFields
  public var body: ByteBuffer
  public init(_ method: HTTPRequest.Method, _ path: String, _ body: String) {
    (self.method, uri, headers) = (method, URI(path: path), [:])
    self.body = ByteBuffer(string: body)
  }
  public func decode<Value: Decodable, C: RequestContext>(
    as type: Value.Type, context: C
  ) throws -> Value {
    let text = body.getString(at: 0, length: body.readableBytes) ?? ""
    return try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
public struct ResponseBody: Sendable {
  public let text: String
  public init() { text = "" }
  public init(byteBuffer: ByteBuffer) {
    text = byteBuffer.getString(at: 0, length: byteBuffer.readableBytes) ?? ""
  }
}
public struct Cookie: Sendable {
  let text: String
  public init(
    name: String, value: String, maxAge: Int? = nil, path: String? = nil, secure: Bool = false,
    httpOnly: Bool = true
  ) { text = "\(name)=\(value)" + (secure ? ";secure" : "") + (httpOnly ? ";httponly" : "") }
}
public struct Response: ResponseGenerator, Sendable {
  public enum RedirectType: Sendable { case normal, permanent }
  public var status: HTTPResponse.Status
  public var headers: HTTPFields
  public var body: ResponseBody
  public init(
    status: HTTPResponse.Status, headers: HTTPFields = .init(), body: ResponseBody = .init()
  ) { (self.status, self.headers, self.body) = (status, headers, body) }
  public static func redirect(to location: String, type: RedirectType = .normal) -> Response {
    Response(
      status: .init(code: type == .normal ? 303 : 301), headers: [.location: location],
      body: .init()
    )
  }
  public mutating func setCookie(_ cookie: Cookie) { headers[.init("set-cookie")!] = cookie.text }
  public func response(from request: Request, context: some RequestContext) -> Response { self }
}
public struct HTTPError: Error, CustomStringConvertible {
  public let status: HTTPResponse.Status
  public let body: String?
  public init(_ status: HTTPResponse.Status) { (self.status, body) = (status, nil) }
  public init(_ status: HTTPResponse.Status, message: String) {
    (self.status, body) = (status, message)
  }
  public var description: String { "HTTPError: \(status.code) \(body ?? "-")" }
}
public protocol RequestContext: Sendable {
  init()
  var parameters: Parameters { get set }
}
extension RequestContext { public var logger: Logger { Logger() } }
public protocol ResponseGenerator {
  func response(from request: Request, context: some RequestContext) throws -> Response
}
public protocol ResponseCodable: ResponseGenerator, Codable, Sendable {}
extension ResponseCodable {
  public func response(from request: Request, context: some RequestContext) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(self), as: UTF8.self)
    return Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
extension String: ResponseGenerator {
  public func response(from request: Request, context: some RequestContext) -> Response {
    Response(
      status: .ok, headers: [:], body: ResponseBody(byteBuffer: ByteBuffer(string: self)))
  }
}
extension HTTPResponse.Status: ResponseGenerator {
  public func response(from request: Request, context: some RequestContext) -> Response {
    Response(status: self, headers: [:], body: ResponseBody())
  }
}
public struct EditedResponse<Generator: ResponseGenerator & Sendable>: ResponseGenerator, Sendable {
  public var status: HTTPResponse.Status?
  public var headers: HTTPFields
  public var responseGenerator: Generator
  public init(
    status: HTTPResponse.Status? = nil, headers: HTTPFields = .init(), response: Generator
  ) { (self.status, self.headers, responseGenerator) = (status, headers, response) }
  public func response(from request: Request, context: some RequestContext) throws -> Response {
    var made = try responseGenerator.response(from: request, context: context)
    made.status = status ?? made.status
    if let location = headers[.location] { made.headers[.location] = location }
    return made
  }
}
public protocol RouterMiddleware<Context>: Sendable {
  associatedtype Context
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response
}
public final class Router<C: RequestContext>: @unchecked Sendable {
  var routes: [String: @Sendable (Request, C) async throws -> any ResponseGenerator] = [:]
  var middlewares: [any RouterMiddleware<C>] = []
  public init(context: C.Type = C.self) {}
  public func add<M: RouterMiddleware>(middleware: M) where M.Context == C {
    middlewares.append(middleware)
  }
  @discardableResult public func get<Output: ResponseGenerator>(
    _ path: String, use handler: @escaping @Sendable (Request, C) async throws -> Output
  ) -> Self { on("GET", path, handler) }
  @discardableResult public func post<Output: ResponseGenerator>(
    _ path: String, use handler: @escaping @Sendable (Request, C) async throws -> Output
  ) -> Self { on("POST", path, handler) }
  @discardableResult public func delete<Output: ResponseGenerator>(
    _ path: String, use handler: @escaping @Sendable (Request, C) async throws -> Output
  ) -> Self { on("DELETE", path, handler) }
  private func on<Output: ResponseGenerator>(
    _ method: String, _ path: String,
    _ handler: @escaping @Sendable (Request, C) async throws -> Output
  ) -> Self {
    routes["\(method) \(path)"] = { try await handler($0, $1) }
    return self
  }
  /// `hello/{name}` is asked with the path `hello/bob`.
  public func respond(to request: Request) async throws -> Response {
    let words = request.uri.path.split(separator: "/")
    var context = C()
    var found: (@Sendable (Request, C) async throws -> any ResponseGenerator)?
    for (key, handler) in routes {
      let parts = key.split(separator: " ")
      let names = parts[1].split(separator: "/")
      guard parts[0] == request.method.rawValue, names.count == words.count,
        zip(names, words).allSatisfy({ $0.hasPrefix("{") || $0 == $1 })
      else { continue }
      found = handler
      for (name, word) in zip(names, words) where name.hasPrefix("{") {
        context.parameters.values.append((name.dropFirst().dropLast(), word))
      }
    }
    var next: (Request, C) async throws -> Response = { request, context in
      guard let found else { throw HTTPError(.notFound) }
      return try await found(request, context).response(from: request, context: context)
    }
    for middleware in middlewares.reversed() { next = Self.wrap(middleware, next) }
    return try await next(request, context)
  }
  private static func wrap<M: RouterMiddleware>(
    _ middleware: M, _ next: @escaping (Request, C) async throws -> Response
  ) -> (Request, C) async throws -> Response where M.Context == C {
    { try await middleware.handle($0, context: $1, next: next) }
  }
}
public protocol Service: Sendable { func run() async throws }
