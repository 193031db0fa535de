// SPDX-License-Identifier: MIT

/// Existentials in structs, of which one is an error and may be nil.
struct Trouble {
  var path: [any CodingKey]
  var text: String
  var cause: (any Error)?
  func summary() -> String {
    "\(path.map(\.stringValue)) \(text) \(cause.map { "\($0)" } ?? "nil")"
  }
  func caused(by error: (any Error)?) -> Trouble { Trouble(path: path, text: text, cause: error) }
}

private enum Field: String, CodingKey { case name, age }

/// An error that is a class, and one that is a struct with a payload of several words.
private final class Mishap: Error, @unchecked Sendable {
  private let live = Live("Mishap")
  let number: Int
  init(_ number: Int) { self.number = number }
}

private struct WideError: Error, @unchecked Sendable {
  var code: Int
  var text: String
  var purse: Purse
}

private func told(_ context: DecodingError.Context) -> String {
  "\(context.codingPath.map(\.stringValue)) \(context.debugDescription) \(context.underlyingError == nil)"
}
private func context(_ text: String, _ error: (any Error)?) -> DecodingError.Context {
  DecodingError.Context(codingPath: [Field.age], debugDescription: text, underlyingError: error)
}
private func told(_ trouble: Trouble) -> Trouble { trouble }
private func failing(_ kind: Int) throws -> Int {
  switch kind {
  case 0: throw Mishap(7)
  case 1: throw WideError(code: 1, text: "wide", purse: Purse(cents: 4))
  case 2: throw DecodingError.dataCorrupted(context("corrupt", nil))
  case 3: throw Nesting.nested(ShelfError.missing("n"))
  default: return kind
  }
}
private enum Nesting: Error { case nested(any Error) }
private func failingLater(_ kind: Int) async throws -> String {
  await Task.yield()
  return "\(try failing(kind))"
}
private func optional(_ error: (any Error)?) -> (any Error)? { error }
private func wide(_ error: WideError) -> WideError {
  WideError(code: error.code + 1, text: error.text, purse: error.purse)
}
private func key(_ key: any CodingKey) -> (any CodingKey)? { key }
private func typed(_ kind: Int) throws(WideError) -> Purse {
  throw WideError(code: kind, text: "typed", purse: Purse(cents: kind))
}

private func message(_ error: any Error) -> String {
  switch error {
  case let error as Mishap: "mishap \(error.number)"
  case let error as WideError: "wide \(error.code) \(error.text) \(error.purse.total())"
  case DecodingError.dataCorrupted(let context): "corrupted \(told(context))"
  case Nesting.nested(let inner): "nested \(inner)"
  default: "other \(error)"
  }
}

func runErrors(_ say: Say) async {
  let trouble = Trouble(path: [Field.name, Field.age], text: "t", cause: nil)
  say("trouble \(trouble.summary()) \(told(trouble).cause == nil)")
  say(
    "caused \(trouble.caused(by: ShelfError.missing("c")).summary()) \(trouble.caused(by: nil).path.count)"
  )
  say("context \(told(context("c", nil))) \(told(context("d", ShelfError.missing("e"))))")
  for kind in 0...4 {
    do { say("failing \(try failing(kind))") } catch { say("error \(message(error))") }
    do { say("later \(try await failingLater(kind))") } catch { say("error \(message(error))") }
  }
  do { _ = try typed(3) } catch { say("typed \(error.code) \(error.purse.total())") }
  say("fields \(Field(rawValue: "age") == .age) \(Field(stringValue: "x") == nil)")
  say("field \(Field(intValue: 1) == nil)")
  say(
    "optional \(optional(nil) == nil) \(message(optional(Mishap(2))!)) \(key(Field.name)?.stringValue ?? "")"
  )
  say("wide \(message(wide(WideError(code: 1, text: "w", purse: Purse(cents: 9)))))")
}
