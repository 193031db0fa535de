// SPDX-License-Identifier: MIT

import Foundation
@_exported import Logging
@_exported import NIOCore
@_exported import NIOHTTP1

public protocol AbortError: Error {
  var status: HTTPResponseStatus { get }
  var reason: String { get }
}
public struct Abort: AbortError {
  public var status: HTTPResponseStatus
  public var headers: HTTPHeaders
  public var reason: String
  public var place: String
  public init(
    _ status: HTTPResponseStatus, headers: HTTPHeaders = [:], reason: String? = nil,
    identifier: String? = nil, suggestedFixes: [String] = [], file: String = #fileID,
    function: String = #function, line: UInt = #line, column: UInt = #column,
    range: Range<UInt>? = nil
  ) {
    (self.status, self.headers) = (status, headers)
    self.reason = reason ?? "status \(status.code)"
    place = file
  }
}
public struct HTTPMediaType: Sendable, Equatable {
  public let name: String
  public static let json = HTTPMediaType(name: "json")
  public static let plainText = HTTPMediaType(name: "text")
}
public protocol Content: Codable, AsyncResponseEncodable, ResponseEncodable {
  static var defaultContentType: HTTPMediaType { get }
}
extension Content { public static var defaultContentType: HTTPMediaType { .json } }
public protocol ResponseEncodable {
  func encodeResponse(for request: Request) -> EventLoopFuture<Response>
}
public protocol AsyncResponseEncodable {
  func encodeResponse(for request: Request) async throws -> Response
}
extension Content {
  func made() throws -> Response {
    let response = Response()
    try response.content.encode(self)
    return response
  }
  public func encodeResponse(for request: Request) -> EventLoopFuture<Response> {
    request.eventLoop.makeSucceededFuture(try! made())
  }
  public func encodeResponse(for request: Request) async throws -> Response { try made() }
}
extension ResponseEncodable {
  public func encodeResponse(
    status: HTTPResponseStatus, headers: HTTPHeaders = [:], for request: Request
  ) -> EventLoopFuture<Response> {
    encodeResponse(for: request).map { response in
      response.status = status
      return response
    }
  }
}
extension AsyncResponseEncodable {
  public func encodeResponse(
    status: HTTPResponseStatus, headers: HTTPHeaders = [:], for request: Request
  ) async throws -> Response {
    let response = try await encodeResponse(for: request)
    response.status = status
    return response
  }
}
extension String: AsyncResponseEncodable {
  public func encodeResponse(for request: Request) async throws -> Response {
    Response(body: .init(string: self))
  }
}
extension HTTPResponseStatus: AsyncResponseEncodable {
  public func encodeResponse(for request: Request) async throws -> Response {
    Response(status: self)
  }
}
extension Response: AsyncResponseEncodable {
  public func encodeResponse(for request: Request) async throws -> Response { self }
}
public protocol ContentContainer {
  var contentType: HTTPMediaType? { get }
  func decode<D: Decodable>(_ type: D.Type, using text: HTTPMediaType) throws -> D
  mutating func encode<E: Encodable>(_ encodable: E, using text: HTTPMediaType) throws
}
extension ContentContainer {
  public func decode<D: Content>(_ type: D.Type = D.self) throws -> D {
    try decode(D.self, using: D.defaultContentType)
  }
  public mutating func encode<C: Content>(_ content: C) throws {
    try encode(content, using: C.defaultContentType)
  }
  public mutating func encode<C: Content>(_ content: inout C) throws {
    try encode(content, using: .plainText)
  }
}
public final class Response: @unchecked Sendable, CustomStringConvertible {
  public struct Body: Sendable {
    public static let empty = Body()
    public let string: String?
    public init(byteBufferAllocator: ByteBufferAllocator = ByteBufferAllocator()) { string = nil }
    public init(string: String, byteBufferAllocator: ByteBufferAllocator = ByteBufferAllocator()) {
      self.string = string
    }
    public init(
      buffer: ByteBuffer, byteBufferAllocator: ByteBufferAllocator = ByteBufferAllocator()
    ) { string = buffer.getString(at: 0, length: buffer.readableBytes) }
  }
  private struct Container: ContentContainer {
    let response: Response
    var contentType: HTTPMediaType? { nil }
    func decode<D: Decodable>(_ type: D.Type, using: HTTPMediaType) throws -> D {
      throw Abort(.badRequest)
    }
    mutating func encode<E: Encodable>(_ encodable: E, using type: HTTPMediaType) throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let text = String(decoding: try encoder.encode(encodable), as: UTF8.self)
      response.body = Body(string: text)
      response.headers.replaceOrAdd(name: "content-type", value: type.name)
    }
  }
  public var status: HTTPResponseStatus
  public var version: HTTPVersion
  public var headers: HTTPHeaders
  public var body: Body
  public var content: any ContentContainer {
    get { Container(response: self) }
    set {}
  }
  public init(
    status: HTTPResponseStatus = .ok, version: HTTPVersion = .init(major: 1, minor: 1),
    headers: HTTPHeaders = .init(), body: Body = .empty
  ) { (self.status, self.version, self.headers, self.body) = (status, version, headers, body) }
  public var description: String { "\(status.code) \(headers.text) \(body.string ?? "-")" }
}
public struct Parameters: Sendable {
  var values: [String: String] = [:]
  public func get(_ name: String) -> String? { values[name] }
  public func get<T: LosslessStringConvertible>(_ name: String, as type: T.Type = T.self) -> T? {
    values[name].flatMap(T.init)
  }
  public func require(_ name: String) throws -> String {
    guard let value = values[name] else { throw Abort(.badRequest) }
    return value
  }
  public func require<T: LosslessStringConvertible>(
    _ name: String, as type: T.Type = T.self
  ) throws -> T {
    guard let value = get(name, as: type) else { throw Abort(.badRequest) }
    return value
  }
}
public func defaultSuffix() -> String { "-x" }
public enum Redirect: Sendable { case normal, permanent }
public final class Request: @unchecked Sendable {
  private struct Container: ContentContainer {
    let text: String
    var contentType: HTTPMediaType? { nil }
    func decode<D: Decodable>(_ type: D.Type, using: HTTPMediaType) throws -> D {
      try JSONDecoder().decode(type, from: Data(text.utf8))
    }
    mutating func encode<E: Encodable>(_ encodable: E, using: HTTPMediaType) throws {}
  }
  public let method: HTTPMethod
  public let path: String
  public let eventLoop: any EventLoop
  public let logger = Logger()
  public var parameters = Parameters()
  public var headers = HTTPHeaders()
  private let text: String
  public var content: any ContentContainer {
    get { Container(text: text) }
    set {}
  }
  init(_ method: HTTPMethod, _ path: String, _ text: String, on eventLoop: any EventLoop) {
    (self.method, self.path, self.text, self.eventLoop) = (method, path, text, eventLoop)
  }
  /// Its optional parameter has a default value that no patch can make.
  public func named(_ name: String, suffix: String? = defaultSuffix(), count: Int? = 2) -> String {
    name + (suffix ?? "") + String(count ?? 0)
  }
  public func changed(
    _ headers: HTTPHeaders = [:], beforeSend: (inout HTTPHeaders) throws -> Void = { _ in }
  ) rethrows -> String {
    var changed = headers
    try beforeSend(&changed)
    return changed.text
  }
  public func redirect(to location: String, redirectType: Redirect = .normal) -> Response {
    Response(
      status: .custom(code: redirectType == .normal ? 303 : 301, reasonPhrase: ""),
      headers: ["location": location])
  }
}
public protocol AsyncResponder: Sendable {
  func respond(to request: Request) async throws -> Response
}
public protocol AsyncMiddleware: Sendable {
  func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
}
public protocol Responder: Sendable {
  func respond(to request: Request) -> EventLoopFuture<Response>
}
public protocol Middleware: Sendable {
  func respond(to request: Request, chainingTo next: any Responder) -> EventLoopFuture<Response>
}
public final class Application: @unchecked Sendable {
  struct Handler: AsyncResponder {
    let run: @Sendable (Request) async throws -> Response
    func respond(to request: Request) async throws -> Response { try await run(request) }
  }
  struct Finished: Responder {
    let response: Response
    func respond(to request: Request) -> EventLoopFuture<Response> {
      request.eventLoop.makeSucceededFuture(response)
    }
  }
  var routes: [String: Handler] = [:]
  public var middlewares: [any AsyncMiddleware] = []
  public var oldMiddlewares: [any Middleware] = []
  public init() {}
  public func get<Answer: AsyncResponseEncodable>(
    _ path: String, use closure: @escaping @Sendable (Request) async throws -> Answer
  ) { routes["GET \(path)"] = Handler { try await closure($0).encodeResponse(for: $0) } }
  public func post<Answer: AsyncResponseEncodable>(
    _ path: String, use closure: @escaping @Sendable (Request) async throws -> Answer
  ) { routes["POST \(path)"] = Handler { try await closure($0).encodeResponse(for: $0) } }
  public func answer(_ method: String, _ path: String, _ text: String = "") async -> String {
    let words = path.split(separator: "/", maxSplits: 1)
    let request = Request(method == "GET" ? .GET : .POST, path, text, on: EmbeddedEventLoop())
    if path == "plain" { request.headers.add(name: "x-blocked", value: "1") }
    if words.count > 1 { request.parameters.values["id"] = String(words[1]) }
    guard var handler = routes["\(method) \(words[0])"] else { return "none" }
    for middleware in middlewares {
      let next = handler
      handler = Handler { try await middleware.respond(to: $0, chainingTo: next) }
    }
    do {
      var response = try await handler.respond(to: request)
      for middleware in oldMiddlewares {
        let future = middleware.respond(to: request, chainingTo: Finished(response: response))
        var result: Result<Response, any Error> = .failure(Abort(.conflict))
        withUnsafeMutablePointer(to: &result) { place in
          nonisolated(unsafe) let place = place
          future.whenComplete { place.pointee = $0 }
        }
        response = try result.get()
      }
      return "\(response)"
    } catch let error as any AbortError {
      return "\(error.status.code) \(error.reason)"
    } catch { return "error \(type(of: error))" }
  }
}
