// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing top` on a terminal, until `q` or a signal.
struct TopSession {
  private let path: String
  private let arguments: ParsedArguments
  private let every: Double
  private var view: TopView
  private var last: TopListing
  private var trace: TopTrace?

  init(
    _ first: TopListing, _ path: String, _ arguments: ParsedArguments, every: Double,
    _ view: TopView
  ) {
    (self.path, self.arguments, self.every, self.view, last) = (path, arguments, every, view, first)
  }

  mutating func run() throws(CommandError) {
    guard var keyboard = Keyboard.open() else {
      throw CommandError(
        .usage, "'top' needs a terminal for its keys",
        remedy: "type `waxwing top --once` for what it shows")
    }
    Interruption.catchSignals()
    var screen = Screen()
    var next = ContinuousClock.now + .seconds(every)
    var isOver = false
    while !isOver, !Interruption.hasCome, !keyboard.hasEnded {
      screen.draw(trace?.lines(screen.size) ?? view.lines(screen.size))
      if let key = keyboard.next(milliseconds: 50) { isOver = press(key, rows: screen.size.rows) }
      guard .now >= next else { continue }
      next = .now + .seconds(trace == nil ? every : min(every, 0.2))
      look()
    }
    trace?.close()
  }

  private mutating func look() {
    if trace != nil {
      trace?.look()
      return
    }
    do throws(CommandError) {
      let now = try TopListing(path, arguments)
      view.sample = now.sample(after: last)
      view.trouble = nil
      last = now
    } catch { view.trouble = error.message }
  }

  // MARK: Keys

  /// - Returns: Whether it is the last one.
  private mutating func press(_ key: Key, rows: Int) -> Bool {
    if trace != nil {
      if [.escape, .character("q")].contains(key) { endTrace() }
      return false
    }
    if view.isTyping {
      type(key)
      return false
    }
    switch key {
    case .up: view.move(by: -1)
    case .down: view.move(by: 1)
    case .pageUp: view.move(by: -max(1, rows / 2))
    case .pageDown: view.move(by: max(1, rows / 2))
    case .enter: beginTrace()
    case .escape: view.filter = ""
    case .backspace: break
    case .character("q"): return true
    case .character("/"): view.isTyping = true
    case .character("k"): view.move(by: -1)
    case .character("j"): view.move(by: 1)
    case .character("w"): toggleMeasuring()
    case .character("s"): view.order = Self.next(after: view.order)
    case .character(let character):
      view.order = TopOrder.allCases.first { $0.key == character } ?? view.order
    }
    return false
  }

  private mutating func type(_ key: Key) {
    switch key {
    case .enter: view.isTyping = false
    case .escape: (view.filter, view.isTyping) = ("", false)
    case .backspace: _ = view.filter.popLast()
    case .character(let character): view.filter.append(character)
    case .up, .down, .pageUp, .pageDown: break
    }
  }

  private static func next(after order: TopOrder) -> TopOrder {
    let all = TopOrder.allCases
    return all[((all.firstIndex(of: order) ?? 0) + 1) % all.count]
  }

  private mutating func beginTrace() {
    guard let row = view.selectedRow else { return }
    do throws(CommandError) {
      trace = try TopTrace(row.function, path, arguments)
    } catch { view.trouble = error.message }
  }

  private mutating func endTrace() {
    trace?.close()
    trace = nil
    look()
  }

  private mutating func toggleMeasuring() {
    let isOn = !view.sample.patches.allSatisfy(\.isMeasured)
    do throws(CommandError) {
      let daemon = try Daemon(at: path, arguments)
      _ = try daemon.send(MeasureRequest(isOn: isOn, patches: []))
      look()
    } catch { view.trouble = error.message }
  }
}

/// A daemon's list, and when it was asked for.
struct TopListing {
  private let daemon: DaemonInfo
  private let patches: [PatchStatus]
  private let at = ContinuousClock.now

  init(_ path: String, _ arguments: ParsedArguments) throws(CommandError) {
    let daemon = try Daemon(at: path, arguments)
    let patches = try daemon.send(ListRequest())
    self.patches = patches
    self.daemon = daemon.info
  }

  /// - Parameter last: An earlier one of the same daemon; nil: there is none.
  func sample(after last: TopListing?) -> TopSample {
    let isSame = last?.daemon.pid == daemon.pid
    let seconds = last.map { at - $0.at } ?? .zero
    return TopSample(
      daemon, patches, after: isSame ? last?.patches : nil, seconds: seconds / .seconds(1))
  }
}
