// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import NIOHTTP1

struct Reply {
  var status: HTTPResponseStatus
  var headers: HTTPHeaders
  var text: String
}
func route(_ method: HTTPMethod, _ uri: String, _ body: ByteBuffer) async -> (
  HTTPResponseStatus, String
) {
  method == .GET ? (.ok, "got \(uri)") : (.badRequest, "no \(body.readableBytes)")
}
final class Futures {
  let loop: any EventLoop
  init(loop: any EventLoop) { self.loop = loop }
  func price(_ uri: String) -> EventLoopFuture<Int> { loop.makeSucceededFuture(uri.count) }
  func total(_ price: EventLoopFuture<Int>) -> EventLoopFuture<Int> { price.map { $0 * 2 } }
  func check(_ uri: String) -> EventLoopFuture<String> { loop.makeSucceededFuture(uri) }
  func reply(_ status: HTTPResponseStatus, _ text: String) -> Reply {
    Reply(
      status: status, headers: HTTPHeaders([("content-length", "\(text.utf8.count)")]), text: text)
  }
}
setvbuf(stdout, nil, Int32(_IOLBF), 0)
while let line = readLine() {
  guard line == "go" else { break }
  let handler = Futures(loop: EmbeddedEventLoop())
  for (method, uri) in [(HTTPMethod.GET, "/a"), (.GET, "/orders/9"), (.POST, "/b"), (.DELETE, "/")]
  {
    let (status, text) = await route(method, uri, ByteBuffer(string: "body"))
    let reply = handler.reply(status, text)
    print("\(method) \(uri): \(reply.status.code) \(reply.headers.text) \(reply.text);")
    print("\(handler.total(handler.price(uri)).text) \(handler.check(uri).text);")
  }
  print("--")
}
