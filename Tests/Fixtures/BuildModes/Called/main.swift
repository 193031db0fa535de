import Core
import Glibc

nonisolated(unsafe) var kept = ""

struct Item: Codable {
  var id = "x"
  enum CodingKeys: String, CodingKey { case id = "key" }
}

final class Handler {
  func name<Key: CodingKey>(_ key: Key) -> String { key.stringValue }

  func show(_ request: Request) -> String {
    var table = request.table
    table.set("b", 2)
    let value = request.locked.withValue {
      $0 += 1
      return $0
    }
    let body = request.body
    kept = body.decode(Coin.self) + body.decode(Person.self) + body.decode(Coin.self, as: "x")
    return
      "\(table.get("b") ?? 0) \(value) \(request.content.read("x")) \(request.content.reads) \(name(Item.CodingKeys.id))"
  }
}

setvbuf(stdout, nil, _IOLBF, 0)
while readLine() != nil { print(Handler().show(Request()), "--") }
