// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingDeclarations
import WaxwingSystem
import WaxwingToolKit

/// The list of a daemon's patches, shown again and again until a signal comes.
struct ListWatch {
  private let path: String
  private let arguments: ParsedArguments
  private let every: Double

  /// - Parameter every: Seconds between two looks.
  init(_ path: String, _ arguments: ParsedArguments, every: Double) {
    self.path = path
    self.arguments = arguments
    self.every = every
  }

  private struct Listing {
    let daemon: DaemonInfo
    let patches: [PatchStatus]

    var lines: [String] {
      PatchListText(daemon: daemon, patches: patches).lines.map { VisibleText.line($0) }
    }
  }

  /// - Throws: `CommandError` if there is no daemon at the beginning.
  func run(_ console: Console) throws(CommandError) {
    let first = try look()
    Interruption.catchSignals()
    if Screen.isThere, !console.reportsJSON {
      let last = draw(first)
      console.print(PatchListText(daemon: last.daemon, patches: last.patches).lines)
    } else {
      report(first, console)
    }
  }

  private func look() throws(CommandError) -> Listing {
    let daemon = try Daemon(at: path, arguments)
    let patches = try daemon.send(ListRequest())
    return Listing(daemon: daemon.info, patches: patches)
  }

  /// Draws the list whenever it has changed, or the terminal its size.
  /// - Returns: The last look.
  private func draw(_ first: Listing) -> Listing {
    var screen = Screen()
    var last = first
    var trouble: [String] = []
    while true {
      let wait = ContinuousClock.now + .seconds(every)
      repeat {
        let size = screen.size
        screen.draw(Self.fitting(trouble + last.lines, size))
        usleep(50_000)
        if Interruption.hasCome { return last }
      } while .now < wait
      do throws(CommandError) {
        last = try look()
        trouble = []
      } catch {
        trouble = [TextStyle.red.applied(to: VisibleText.line("as it was: \(error.message)")), ""]
      }
    }
  }

  private static func fitting(_ lines: [String], _ size: Screen.Size) -> [String] {
    guard lines.count > size.rows, size.rows > 1 else { return lines }
    return lines.prefix(size.rows - 1) + ["… \(lines.count - size.rows + 1) more lines"]
  }

  /// Prints what there is, then a line for each change.
  private func report(_ first: Listing, _ console: Console) {
    var last: [PatchStatus] = []
    var daemon = first.daemon
    var isAway = false
    func show(_ changes: [PatchChange]) {
      for var change in changes {
        change.at = UTCDate.text(SystemTime.milliseconds / 1000)
        if console.reportsJSON {
          console.print(line: change, of: daemon)
        } else {
          console.print("\(change.at) \(change.text)")
        }
      }
    }
    show(PatchChange.between(last, first.patches))
    last = first.patches
    while !Interruption.hasCome {
      pause()
      if Interruption.hasCome { return }
      do throws(CommandError) {
        let now = try look()
        daemon = now.daemon
        show((isAway ? [PatchChange(.back)] : []) + PatchChange.between(last, now.patches))
        (isAway, last) = (false, now.patches)
      } catch {
        if !isAway { show([PatchChange(.away)]) }
        isAway = true
      }
    }
  }

  /// Waits until the next look is due, or a signal has come.
  private func pause() {
    let end = ContinuousClock.now + .seconds(every)
    while .now < end, !Interruption.hasCome { usleep(50_000) }
  }
}
