// SPDX-License-Identifier: MIT

// A server: requests, routes in a generic tree, actors, a global actor, async sequences.
public struct Request: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }
  var method: Method
  var path: String
  var headers: Headers
  var body: [UInt8]
  init?(raw: some Collection<UInt8>) {
    let t = String(decoding: raw, as: UTF8.self)
    let l = t.split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let f = l.first else { return nil }
    let p = f.split(separator: " ")
    guard p.count == 3, let m = Method(rawValue: String(p[0])) else { return nil }
    method = m
    path = String(p[1])
    headers = [:]
    for h in l.dropFirst() {
      guard let c = h.firstIndex(of: ":") else { break }
      headers[String(h[..<c])] = String(h[h.index(after: c)...].drop { $0 == " " })
    }
    body = Array((l.last ?? "").utf8)
  }
}
public struct Headers: ExpressibleByDictionaryLiteral, Sequence, Sendable {
  private var list: [(key: String, value: String)] = []
  public init(dictionaryLiteral e: (String, String)...) { for (k, v) in e { list.append((k, v)) } }
  public subscript(n: String) -> String? {
    get { list.last { $0.key.lowercased() == n.lowercased() }?.value }
    set {
      list.removeAll { $0.key.lowercased() == n.lowercased() }
      if let newValue { list.append((n, newValue)) }
    }
  }
  public func makeIterator() -> some IteratorProtocol<(key: String, value: String)> {
    list.makeIterator()
  }
}
struct Response: Sendable {
  var status: Int
  var text: String
  static let ok = Response(status: 200, text: "ok")
  static func error(_ e: any Error) -> Self { .init(status: 500, text: "\(e)") }
}
typealias Handler = @Sendable (Request) async throws -> Response
struct Trie<V> {
  private final class N {
    var kids: [Substring: N] = [:]
    var v: V?
  }
  private var root = N()
  mutating func insert(_ path: String, _ v: V) {
    var n = root
    for p in path.split(separator: "/") {
      if let k = n.kids[p] {
        n = k
      } else {
        let k = N()
        n.kids[p] = k
        n = k
      }
    }
    n.v = v
  }
  func find(_ path: String, captures: inout [Substring]) -> V? {
    var n = root
    for p in path.split(separator: "/") {
      if let k = n.kids[p] {
        n = k
      } else if let k = n.kids["*"] {
        captures.append(p)
        n = k
      } else {
        return nil
      }
    }
    return n.v
  }
}
public actor Server {
  private var routes = Trie<Handler>()
  private var hits: [String: Int] = [:]
  private let clock: any Ticker
  nonisolated let name: String
  init(name: String, clock: any Ticker) {
    self.name = name
    self.clock = clock
  }
  func on(_ p: String, _ h: @escaping Handler) { routes.insert(p, h) }
  func on(_ p: String, just r: @autoclosure () -> Response) {
    let r = r()
    routes.insert(p) { _ in r }
  }
  var total: Int {
    get async {
      await clock.tick()
      return hits.values.reduce(0, +)
    }
  }
  private func count(_ p: String) { hits[p, default: 0] += 1 }
  nonisolated func banner(_ n: Int...) -> String { "\(name) \(n)" }
  func handle(_ raw: [UInt8]) async -> Response {
    guard let q = Request(raw: raw) else { return .init(status: 400, text: "bad") }
    count(q.path)
    var c: [Substring] = []
    guard let h = routes.find(q.path, captures: &c) else { return .init(status: 404, text: q.path) }
    do {
      var r = try await h(q)
      r.text += c.map { "[\($0)]" }.joined()
      return r
    } catch { return .error(error) }
  }
  func all(_ raws: [[UInt8]]) async -> [Int] {
    await withTaskGroup(of: (Int, Int).self) { g in
      for (i, r) in raws.enumerated() { g.addTask { (i, await self.handle(r).status) } }
      var o = [Int](repeating: 0, count: raws.count)
      for await (i, s) in g { o[i] = s }
      return o
    }
  }
}
public protocol Ticker: Actor {
  func tick() async
  var ticks: Int { get }
}
actor Manual: Ticker {
  private(set) var ticks = 0
  func tick() async {
    ticks += 1
    await Task.yield()
  }
  isolated deinit {}
}
@globalActor actor Store { static let shared = Store() }
@Store final class Cache<K: Hashable & Sendable, V: Sendable> {
  private var d: [K: V] = [:]
  let make: @Sendable (K) async throws(CacheError) -> V
  init(_ m: @escaping @Sendable (K) async throws(CacheError) -> V) { make = m }
  func value(_ k: K) async throws(CacheError) -> V {
    if let v = d[k] { return v }
    let v = try await make(k)
    d[k] = v
    return v
  }
  subscript(k: K) -> V? { d[k] }
  var count: Int { d.count }
}
enum CacheError: Error { case never(String) }
struct Countdown: AsyncSequence {
  let from: Int
  struct AsyncIterator: AsyncIteratorProtocol {
    var n: Int
    mutating func next() async -> Int? {
      guard n > 0 else { return nil }
      defer { n -= 1 }
      await Task.yield()
      return n
    }
  }
  func makeAsyncIterator() -> AsyncIterator { .init(n: from) }
}
@Sendable func slow(_ q: Request) async throws -> Response {
  for await i in Countdown(from: 3) {
    if i == 1 && q.body.isEmpty { throw CacheError.never(q.path) }
  }
  return .init(status: 201, text: String(decoding: q.body, as: UTF8.self))
}
func raw(_ m: String, _ p: String, _ b: String = "") -> [UInt8] {
  Array("\(m) \(p) HTTP/1.1\r\nHost: x\r\nA: 1\r\n\r\n\(b)".utf8)
}
/// Serves some requests and tells what the answers are.
public func runServer() async -> String {
  let clock = Manual()
  let s = Server(name: "srv", clock: clock)
  await s.on("/a/*/c", just: .ok)
  await s.on("/slow", slow)
  let c = await Cache<String, Int> { k async throws(CacheError) in
    if k == "x" { throw .never(k) }
    return k.count
  }
  var out: [String] = []
  for r in [
    raw("GET", "/a/b/c"), raw("POST", "/slow", "body"), raw("GET", "/slow"), raw("PUT", "/"),
    raw("GET", "/no"),
  ] {
    let x = await s.handle(r)
    out.append("\(x.status) \(x.text)")
  }
  out.append(
    "\(await s.all([raw("GET", "/a/1/c"), raw("GET", "/zz")])) \(await s.total) "
      + "\(await clock.ticks) \(s.banner(1, 2))"
  )
  do {
    out.append("\(try await c.value("abc")) \(try await c.value("abc")) \(await c["abc"] ?? 0)")
    out.append("\(try await c.value("x"))")
  } catch { out.append("\(error) \(await c.count)") }
  var h: Headers = ["A": "1", "b": "2"]
  h["a"] = nil
  h["C"] = (h["b"] ?? "") + "3"
  for (k, v) in h { out.append(k + v) }
  return out.joined(separator: "\n")
}
