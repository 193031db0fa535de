// SPDX-License-Identifier: MIT

/// Errors of declared types, small and large, in registers and by address, thrown by async functions and
/// by accessors, of which no symbol tells it.

private struct PairError: Error {
  let first: Int
  let second: Int
}
private struct NamedError: Error {
  let number: Int
  let name: String
}
private struct PointError: Error {
  let x: Double
  let y: Double
}
private struct Row {
  var first = 1
  var second = 2
  var third = 3
  var fourth = 4
  var fifth = 5
}

// MARK: Accessors

private final class Source {
  let fails: Bool
  init(fails: Bool) { self.fails = fails }
  var pair: Int {
    get async throws(PairError) {
      if fails { throw PairError(first: 77, second: 88) }
      return 5
    }
  }
  var name: String {
    get async throws(NamedError) {
      await Task.yield()
      if fails { throw NamedError(number: 77, name: "a name that is long enough") }
      return "a text that is long enough"
    }
  }
  var point: Int {
    get async throws(PointError) {
      await Task.yield()
      if fails { throw PointError(x: 77, y: 88) }
      return 6
    }
  }
  var row: Row {
    get async throws(PairError) {
      await Task.yield()
      if fails { throw PairError(first: 77, second: 88) }
      return Row()
    }
  }
  var rowAtOnce: Row {
    get throws(PairError) {
      if fails { throw PairError(first: 77, second: 88) }
      return Row()
    }
  }
  var any: String {
    get async throws {
      await Task.yield()
      if fails { throw NamedError(number: 7, name: "any") }
      return "any"
    }
  }
  subscript(number: Int) -> String {
    get async throws(NamedError) {
      await Task.yield()
      if fails { throw NamedError(number: number, name: "of a subscript") }
      return "subscript \(number)"
    }
  }
}

private struct SourceValue {
  var fails: Bool
  var text = "kept"
  var pair: Int {
    get async throws(PairError) {
      if fails { throw PairError(first: 77, second: 88) }
      return 5
    }
  }
  var row: Row {
    get async throws(PairError) {
      await Task.yield()
      if fails { throw PairError(first: 77, second: 88) }
      return Row()
    }
  }
}

// MARK: Functions that run where they are called, with values of several words

private struct Wrapped<T> {
  var value: T
  var list = [1]
}
private struct Note {
  var text: String
  var number: Int
}
private struct Reading {
  var exact: Double
  var rough: Float
  var count: Int
}

nonisolated(nonsending) private func join(
  _ wrapped: Wrapped<(String, Int)>, _ note: consuming Note, _ mode: Int
) async throws(NamedError) -> String {
  if mode == 1 { throw NamedError(number: mode, name: "join") }
  return wrapped.value.0 + note.text + "\(wrapped.value.1 + note.number)"
}
nonisolated(nonsending) private func measure(
  _ reading: Reading, _ note: consuming Note
) async throws(PointError) -> Double {
  if reading.count == 1 { throw PointError(x: 1.5, y: 2.5) }
  return reading.exact + Double(note.number)
}
private func add(_ wrapped: Wrapped<(String, Int)>, _ note: consuming Note) async throws(NamedError)
  -> Int
{
  if note.number == 1 { throw NamedError(number: 4, name: "add") }
  return wrapped.value.1 + note.number
}
private func split(_ note: consuming Note) async throws(PointError) -> (Double, Double) {
  if note.number == 1 { throw PointError(x: 1, y: 3) }
  return (Double(note.number), 2)
}
nonisolated(nonsending) private func change(
  _ note: Note, _ other: inout Note, _ body: (Int) async throws(NamedError) -> Int
) async throws(NamedError) -> Int {
  other.number += 1
  return try await body(note.number)
}

private struct Keeper {
  var note: Note
  var wrapped: Wrapped<Double>
  consuming func take(_ x: Double, _ y: Double) async throws(PointError) -> String {
    if x == 1 { throw PointError(x: 3, y: 4) }
    return note.text + "\(x + y)"
  }
  mutating func keep(_ x: Double, _ text: consuming Wrapped<String>) async throws(PointError)
    -> (Double, Double)
  {
    wrapped.value += x
    if x == 1 { throw PointError(x: 5, y: 6) }
    return (x, wrapped.value)
  }
}

private func tell<T, Failure: Error>(_ body: () async throws(Failure) -> T) async -> String {
  do throws(Failure) { return "\(try await body())" } catch { return "error \(error)" }
}

/// Calls them all and tells what came of it.
public func runTypedErrors() async -> [String] {
  var lines: [String] = []
  for mode in 1...2 {
    let source = Source(fails: mode == 1)
    let value = SourceValue(fails: mode == 1)
    let note = Note(text: "a note that is long enough", number: mode)
    let reading = Reading(exact: 1, rough: 2, count: mode)
    var other = note
    var keeper = Keeper(note: note, wrapped: Wrapped(value: 2))
    lines.append(await tell { () async throws(PairError) in try await source.pair })
    lines.append(await tell { () async throws(NamedError) in try await source.name })
    lines.append(await tell { () async throws(PointError) in try await source.point })
    lines.append(await tell { () async throws(PairError) in try await source.row })
    lines.append(await tell { () async throws(PairError) in try source.rowAtOnce })
    lines.append(await tell { try await source.any })
    lines.append(await tell { () async throws(NamedError) in try await source[4] })
    lines.append(await tell { () async throws(PairError) in try await value.pair })
    lines.append(await tell { () async throws(PairError) in try await value.row })
    lines.append(
      await tell { () async throws(NamedError) in
        try await join(Wrapped(value: ("joined", 4)), note, mode)
      })
    lines.append(
      await tell { () async throws(PointError) in try await measure(reading, note) })
    lines.append(
      await tell { () async throws(NamedError) in
        try await add(Wrapped(value: ("added", 4)), note)
      })
    lines.append(await tell { () async throws(PointError) in try await split(note) })
    lines.append(
      await tell { () async throws(NamedError) in
        try await change(note, &other) { (number) async throws(NamedError) -> Int in
          if number == 1 { throw NamedError(number: 1, name: "closure") }
          return number
        }
      })
    lines.append(
      await tell { () async throws(PointError) in try await keeper.take(Double(mode), 4) })
    lines.append(
      await tell { () async throws(PointError) in
        try await keeper.keep(Double(mode), Wrapped(value: "kept"))
      })
    lines.append("\(other.number) \(keeper.wrapped.value)")
  }
  return lines
}
