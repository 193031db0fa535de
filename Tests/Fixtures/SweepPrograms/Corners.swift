// SPDX-License-Identifier: MIT

// What random programs have shown: kinds of functions whose values travel where few look for them.

// MARK: Initializers with inout parameters

private struct Counted {
  var n: Int
  init(_ p: inout Int) {
    p += 1
    n = p
  }
  init?(failing p: inout Int) {
    p += 10
    if p > 20 { return nil }
    n = p
  }
  init<T>(_ p: inout [T], _ value: T) throws(Small) {
    p.append(value)
    if p.count > 2 { throw Small(a: p.count, b: 0) }
    n = p.count
  }
}

private class CountedClass {
  let n: Int
  init(_ p: inout String) {
    p += "!"
    n = p.count
  }
  convenience init(twice p: inout String) {
    self.init(&p)
    p += "?"
  }
}

private func inoutInitializers() -> String {
  var (n, text, list) = (1, "a", [1.5])
  let first = Counted(&n).n
  let failed = [Counted(failing: &n)?.n, Counted(failing: &n)?.n]
  let made = try? Counted(&list, 2.5).n
  let thrown = (try? Counted(&list, 3.5).n) == nil
  let lengths = [CountedClass(&text).n, CountedClass(twice: &text).n]
  return "\(first) \(failed) \(n) \(made ?? 0) \(thrown) \(list) \(lengths) \(text)"
}

// MARK: Typed errors that travel by address

struct Small: Error { var a = 1, b = 2 }
struct Big: Error { var a = "a", b = "b", c = "c" }
struct Doubles: Error { let x: Double, y: Float }
private struct Unmoved: ~Copyable { let s: String, n: Int }
private struct Five { var a = 1, b = 2, c = 3, d = 4, e = 5 }
private struct Stripped { let a: Int, b: String }

private func fourWords(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int) async throws(Big) -> Int {
  await Task.yield()
  if a > 5 { throw Big(a: "\(a)") }
  return a + e
}
private func fiveDoubles(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int) async throws(Doubles)
  -> Int
{
  await Task.yield()
  if a > 5 { throw Doubles(x: Double(a), y: 0.5) }
  return a + e
}
private func borrowed(_ n: borrowing Unmoved, _ a: [Int], _ b: Int) throws(Big) -> String {
  if b > 5 { throw Big(a: n.s) }
  return "\(n.n) \(a) \(b)"
}
private func genericBorrowed<Q, P: Hashable>(_ p: borrowing Unmoved, _ q: Q, _ r: P) throws(Big)
  -> (Q, P)
{ (q, r) }
private func genericError<E: Error>(_ p: borrowing Unmoved, _ e: E?) throws(E) -> Int {
  if let e { throw e }
  return p.n
}
private func five(_ s: Stripped) throws(Doubles) -> Five {
  if s.a > 5 { throw Doubles(x: 1, y: 2) }
  return Five(e: s.a)
}

private func typedErrors() async -> String {
  var lines: [String] = []
  for a in [1, 9] {
    do throws(Big) {
      lines.append("\(try await fourWords(a, 2, 3, 4, 5))")
    } catch { lines.append(error.a) }
    do throws(Doubles) {
      lines.append("\(try await fiveDoubles(a, 2, 3, 4, 5))")
    } catch { lines.append("\(error.x) \(error.y)") }
    let n = Unmoved(s: "s", n: a)
    do throws(Big) {
      lines.append(try borrowed(n, [1, 2], a))
      lines.append("\(try genericBorrowed(n, "q", 7))")
    } catch { lines.append(error.a) }
    do throws(Small) {
      lines.append("\(try genericError(n, a > 5 ? Small() : nil))")
    } catch { lines.append("\(error.b)") }
    do throws(Doubles) {
      lines.append("\(try five(Stripped(a: a, b: "b")).e)")
    } catch { lines.append("\(error.y)") }
  }
  return lines.joined(separator: ", ")
}

// MARK: Unknown values of async functions

private func taken(_ s: Stripped) async -> Int {
  await Task.yield()
  return s.a
}
private func takenInout(_ s: Stripped, _ f: inout Int) async -> Int {
  await Task.yield()
  f += s.a
  return s.a
}
private func takenUnmoved(_ n: borrowing Unmoved) async -> Int {
  await Task.yield()
  return n.s.count
}
extension Stripped {
  fileprivate func waited() async -> Int {
    await Task.yield()
    return a
  }
}
extension Unmoved {
  fileprivate func waited() async -> Int {
    await Task.yield()
    return s.count
  }
}

private func unknownAsync() async -> String {
  var f = 1
  let s = Stripped(a: 4, b: "b")
  let n = Unmoved(s: "text", n: 1)
  let values = [
    await taken(s), await takenInout(s, &f), await takenUnmoved(n), await s.waited(), f,
  ]
  return "\(values) \(await n.waited())"
}

// MARK: Several opaque results

protocol Quoted { func quoted() -> String }
extension Int: Quoted { func quoted() -> String { "i\(self)" } }
extension String: Quoted { func quoted() -> String { "s\(self)" } }
private func pair() -> (some Quoted, some Quoted) { (1, "x") }
private func triple(_ b: Bool) -> (some Quoted, (some Quoted)?, [some Quoted]) {
  (3, b ? "x" : nil, [4, 5])
}

private func opaqueResults() -> String {
  let (a, b) = pair()
  let (c, d, e) = triple(true)
  return "\(a.quoted()) \(b.quoted()) \(c.quoted()) \(d?.quoted() ?? "") \(e.map { $0.quoted() })"
}

// MARK: Nothing, many times

private func count(_ a: [()]) -> Int { a.count }
private func nothings() -> [()] { [(), ()] }
private func countAll<T>(_ t: T...) -> Int { t.count }
private func grow(_ a: inout [()]) { a.append(()) }

private func manyNothings() -> String {
  var list = nothings()
  grow(&list)
  return "\(count(list)) \(countAll(1, 2, 3))"
}

// MARK: Getters that throw types of their own

private struct Throwing<E: Error> {
  let e: E?
  var value: Int {
    get throws(E) {
      if let e { throw e }
      return 5
    }
  }
  subscript(n: Int) -> Int {
    get throws(E) {
      if let e { throw e }
      return n
    }
  }
}
private final class ThrowingClass {
  let isThrowing: Bool
  init(isThrowing: Bool) { self.isThrowing = isThrowing }
  var value: Int {
    get throws(Big) {
      if isThrowing { throw Big() }
      return 4
    }
  }
}

private func throwingGetters() -> String {
  var lines: [String] = []
  for e in [nil, Big(a: "e")] {
    do throws(Big) {
      lines.append("\(try Throwing(e: e).value) \(try Throwing(e: e)[7])")
      lines.append("\(try ThrowingClass(isThrowing: e != nil).value)")
    } catch { lines.append(error.a) }
  }
  do throws(Big) {
    lines.append("\(try ThrowingClass(isThrowing: true).value)")
  } catch { lines.append(error.c) }
  return lines.joined(separator: ", ")
}

// MARK: What cannot be copied, and conforms

private protocol Sized: ~Copyable { borrowing func size() -> Int }
private struct Moved: Sized, ~Copyable {
  var n: Int
  borrowing func size() -> Int { n }
}
private struct MovedText: Sized, ~Copyable {
  let text: String
  init(text: String) { self.text = text }
  borrowing func size() -> Int { text.count }
}
private func size<R: Sized & ~Copyable>(_ r: consuming R) -> Int {
  r.size() + MemoryLayout<R>.size
}

/// Calls them all and tells what came of it.
public func runCorners() async -> [String] {
  [
    inoutInitializers(), await typedErrors(), await unknownAsync(), opaqueResults(),
    manyNothings(), throwingGetters(), "\(size(Moved(n: 3))) \(size(MovedText(text: "abc")))",
  ]
}
