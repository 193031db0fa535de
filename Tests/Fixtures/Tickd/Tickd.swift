// SPDX-License-Identifier: MIT

import Foundation

/// A clock that counts what it is asked.
final class Ticker {
  private var count = 0

  func tick(_ name: String) -> String {
    count += 1
    return label(name, count)
  }

  func label(_ name: String, _ number: Int) -> String { Line(name: name, number: number).text }
}

/// The first words of a text.
@propertyWrapper struct Shortened {
  private var text = ""
  init(wrappedValue: String) { self.wrappedValue = wrappedValue }
  var wrappedValue: String {
    get { text }
    set { text = String(newValue.prefix(60)) }
  }
}

/// The compiler makes a function of its own that sets `name` first; `words` has coroutines.
struct Line {
  @Shortened var name: String
  private var parts: [String] = []

  init(name: String, number: Int) {
    self.name = name
    words += [self.name, "\(number)"]
  }

  var words: [String] {
    _read { yield parts }
    _modify { yield &parts }
  }
  var text: String { words.joined(separator: " ") }
}

struct Ware { var cents: Int }

protocol Priced { func price() -> Int }

extension Ware: Priced {
  func price() -> Int { cents }
}

/// It conforms to nothing.
final class Crate {}

class Till {
  let number: Int

  init(number: Int) { self.number = number }
  func sum(_ ware: Ware) -> Int { ware.cents + number }
  deinit { closed(number) }
}

nonisolated(unsafe) var closedTills = ""

func closed(_ number: Int) { closedTills += " \(number)" }

func priced(_ thing: Any) -> Int? { (thing as? any Priced)?.price() }

func makeTill() -> Till { Till(number: 3) }

/// What patches change by values, classes, conformances and the ends of objects.
func sale() -> String {
  closedTills = ""
  _ = Till(number: 7)
  let closed = closedTills
  let sum = makeTill().sum(Ware(cents: 10))
  return "\(sum) \(priced(Ware(cents: 20)) ?? 0) \(priced(Crate()) ?? 0) closed\(closed)"
}

/// What another process prints that this one starts.
func output(of command: String) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", command]
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  process.waitUntilExit()
  return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
}

/// Answers each line of its input: `$ COMMAND` with what that prints, `exit N` by ending with that code, others by
/// counting them; `sale` with what `sale()` says. It does not link Waxwing.
@main struct Tickd {
  static func main() throws {
    let ticker = Ticker()
    print("arguments:", CommandLine.arguments.dropFirst().joined(separator: " "))
    fflush(nil)
    while let line = readLine() {
      if line.hasPrefix("$ ") {
        print(try output(of: String(line.dropFirst(2))), terminator: "")
      } else if line.hasPrefix("exit "), let code = Int32(line.dropFirst(5)) {
        exit(code)
      } else if line == "sale" {
        print(sale())
      } else {
        print(ticker.tick(line))
      }
      fflush(nil)
    }
  }
}
