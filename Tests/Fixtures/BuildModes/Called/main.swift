import Core
import Glibc

nonisolated(unsafe) var kept = ""

final class Handler {
  func show(_ request: Request) -> String {
    var table = request.table
    table.set("b", 2)
    let value = request.locked.withValue {
      $0 += 1
      return $0
    }
    let body = request.body
    kept = body.decode(Coin.self) + body.decode(Person.self) + body.decode(Coin.self, as: "x")
    return "\(table.get("b") ?? 0) \(value) \(request.content.read("x")) \(request.content.reads)"
  }
}

setvbuf(stdout, nil, _IOLBF, 0)
while readLine() != nil { print(Handler().show(Request()), "--") }
