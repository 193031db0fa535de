// SPDX-License-Identifier: MIT

/// Subscripts with labels and overloads.
struct Grid {
  let columns: Int
  var cells: [Int]
  subscript(index: Int) -> Int {
    get { cells[index] }
    set { cells[index] = newValue }
  }
  subscript(row: Int, column: Int) -> Int {
    get { cells[row * columns + column] }
    set { cells[row * columns + column] = newValue }
  }
  subscript(row row: Int) -> ArraySlice<Int> {
    get { cells[(row * columns)..<((row + 1) * columns)] }
    set { cells.replaceSubrange((row * columns)..<((row + 1) * columns), with: newValue) }
  }
  subscript(range: Range<Int>) -> [Int] { Array(cells[range]) }
  subscript(name: String) -> Int? { name == "first" ? cells.first : nil }
  subscript(safe index: Int, default other: @autoclosure () -> Int) -> Int {
    cells.indices.contains(index) ? cells[index] : other()
  }
  subscript<T>(as type: T.Type, at index: Int) -> T? { cells[index] as? T }
  subscript(point: Point) -> Int { self[point.x, point.y] }
}

/// Subscripts of a class, one of which throws.
final class Shelf {
  private let live = Live("Shelf")
  private var books: [String: [String]] = [:]
  subscript(author: String) -> [String] {
    get { books[author] ?? [] }
    set { books[author] = newValue }
  }
  subscript(author: String, number number: Int) -> String {
    get throws {
      guard let list = books[author], list.indices.contains(number) else {
        throw ShelfError.missing(author)
      }
      return list[number]
    }
  }
  subscript(dynamic key: String) -> Any { books[key] as Any }
}

enum ShelfError: Error { case missing(String) }

/// Getters that throw, or wait.
struct Source {
  var values: [Int]
  var first: Int { get throws { try value(0) } }
  var typed: Int {
    get throws(ShelfError) {
      guard let last = values.last else { throw .missing("last") }
      return last
    }
  }
  private func value(_ index: Int) throws -> Int {
    guard values.indices.contains(index) else { throw ShelfError.missing("\(index)") }
    return values[index]
  }
  var later: Int {
    get async {
      await Task.yield()
      return values.count
    }
  }
  var laterOrNot: Int {
    get async throws {
      await Task.yield()
      return try value(1)
    }
  }
  subscript(later index: Int) -> String {
    get async {
      await Task.yield()
      return "later \(values[index])"
    }
  }
}

func runSubscripts(_ say: Say) {
  var grid = Grid(columns: 3, cells: Array(0..<9))
  grid[0] += 50
  grid[1, 1] = 44
  grid[2, 0] -= 1
  grid[row: 0] = [7, 8, 9]
  grid[row: 1][3] += 1
  say("grid \(grid.cells) \(grid[4]) \(grid[2, 2]) \(grid[row: 2].startIndex) \(grid[2..<4])")
  say("named \(grid["first"] ?? -1) \(grid["x"] ?? -1) \(grid[safe: 99, default: 5])")
  say("typed \(grid[as: Int.self, at: 1] ?? -1) \(grid[as: String.self, at: 1] == nil)")
  say("point \(grid[Point(1, 2)])")
  say("types \(names([Grid.self]))")
  let shelf = Shelf()
  shelf["a"] = ["x"]
  shelf["a"].append("y")
  say("shelf \(shelf["a"]) \(shelf["b"]) \((try? shelf["a", number: 1]) ?? "-")")
  do { _ = try shelf["b", number: 0] } catch { say("error \(error)") }
  say("dynamic \(described(shelf[dynamic: "a"])) \(described(shelf[dynamic: "q"]))")
}

func runEffectfulGetters(_ say: Say) async {
  let source = Source(values: [4, 5])
  let empty = Source(values: [])
  say("types \(names([Source.self]))")
  do {
    say("source \(try source.first) \(try source.typed) \(await source.later)")
    say("later \(try await source.laterOrNot) \(await source[later: 0])")
  } catch { say("never") }
  do { _ = try empty.first } catch { say("error \(error)") }
  do throws(ShelfError) { _ = try empty.typed } catch { say("error \(error)") }
  do { _ = try await empty.laterOrNot } catch { say("error \(error)") }
}
