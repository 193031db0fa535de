// SPDX-License-Identifier: MIT

private func task(_ number: Int) -> Task<Int, Never> {
  Task {
    await Task.yield()
    return number + 1
  }
}
private func throwingTask(_ number: Int) -> Task<String, any Error> {
  Task {
    if number < 0 { throw ShelfError.missing("\(number)") }
    return "task \(number)"
  }
}
private func value(_ task: Task<Int, Never>) async -> Int { await task.value }
private func cancelled(_ task: Task<Int, Never>) -> Bool {
  task.cancel()
  return task.isCancelled
}
private func stream(_ count: Int) -> AsyncStream<Int> {
  AsyncStream { continuation in
    for number in 0..<count { continuation.yield(number) }
    continuation.finish()
  }
}
private func collected(_ stream: AsyncStream<Int>) async -> [Int] {
  var all: [Int] = []
  for await number in stream { all.append(number) }
  return all
}
private func throwingStream(_ list: [Int]) -> AsyncThrowingStream<Int, any Error> {
  AsyncThrowingStream { continuation in
    for number in list { continuation.yield(number) }
    continuation.finish(throwing: ShelfError.missing("end"))
  }
}
private func resumed(_ number: Int) async -> Int {
  await withCheckedContinuation { continuation in resume(continuation, number) }
}
private func resume(_ continuation: CheckedContinuation<Int, Never>, _ number: Int) {
  continuation.resume(returning: number * 2)
}
private func priority(_ priority: TaskPriority) -> TaskPriority { priority }

/// An asynchronous sequence of its own.
struct Countdown: AsyncSequence {
  let from: Int
  struct Iterator: AsyncIteratorProtocol {
    var current: Int
    mutating func next() async -> Int? {
      await Task.yield()
      guard current > 0 else { return nil }
      defer { current -= 1 }
      return current
    }
  }
  func makeAsyncIterator() -> Iterator { Iterator(current: from) }
}

enum Trace {
  @TaskLocal static var name = "none"
  static func current() -> String { name }
  static func with(_ name: String, _ body: () async -> String) async -> String {
    await $name.withValue(name) { await body() }
  }
}

func runTasks(_ say: Say) async {
  say("task \(await task(1).value) \(await value(task(2))) \(cancelled(task(3)))")
  do {
    say("task \(try await throwingTask(1).value)")
    _ = try await throwingTask(-1).value
  } catch {
    say("error \(error)")
  }
  say("stream \(await collected(stream(4)))")
  do { for try await number in throwingStream([1, 2]) { say("number \(number)") } } catch {
    say("error \(error)")
  }
  say("resumed \(await resumed(4)) \(priority(.high).rawValue)")
  var numbers: [Int] = []
  for await number in Countdown(from: 3) { numbers.append(number) }
  say("countdown \(numbers) \(Trace.current()) \(await Trace.with("t") { Trace.current() })")
}
