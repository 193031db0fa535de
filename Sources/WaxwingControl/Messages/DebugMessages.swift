// SPDX-License-Identifier: MIT

/// A request of a debugger. All fields but the action are for some actions only.
package struct DebugRequest: Hashable, Sendable, Codable {
  package enum Action: String, Hashable, Sendable, Codable {
    /// Lets calls of the patch `patch` stop. Answered with `session`, `files` and `limit`.
    case attach
    /// Lets all calls go on, and no more stop.
    case detach
    /// `breakpoints` are all breakpoints, and `stopsAtFaults` says whether errors stop calls.
    case breakpoints
    /// Asks for the events since the last time. Answered with `events`.
    case events
    /// The next line of any call stops it.
    case pause
    /// The call at `stop` goes on as `step` says.
    case resume
    /// Where the call at `stop` is. Answered with `frames`.
    case frames
    /// Asks for the values at `level`. Answered with `handles`: locals, upvalues, Swift values.
    case scopes
    /// The parts of the value with `handle`, at most `most` from `first` on. Answered with
    /// `variables`.
    case variables
    /// The value of `text` at `level`. Answered with one of `variables`.
    case evaluate
    /// The text of the file `file`. Answered with `text`.
    case source
  }

  package var action: Action
  /// The number that `attach` was answered with.
  package var session: Int?
  package var patch: String?
  /// Seconds that a call stops at most.
  package var limit: Double?
  /// Seconds after which the debugger is detached that it asks for nothing.
  package var patience: Double?
  package var breakpoints: [DebugBreakpoint]?
  package var stopsAtFaults: Bool?
  package var stop: UInt64?
  package var step: DebugStep?
  package var level: Int?
  package var handle: Int?
  package var first: Int?
  package var most: Int?
  package var text: String?
  package var file: String?

  package init(_ action: Action, session: Int? = nil) {
    self.action = action
    self.session = session
  }

  /// Whether the request is answered without waiting for Lua code.
  var isQuick: Bool {
    switch action {
    case .detach, .events, .resume, .source: true
    case .attach, .breakpoints, .pause, .frames, .scopes, .variables, .evaluate: false
    }
  }
}

/// How a call goes on that has stopped.
package enum DebugStep: String, Hashable, Sendable, Codable {
  case goOn
  case into
  case over
  case out
}

/// A line at which calls stop.
package struct DebugBreakpoint: Hashable, Sendable, Codable {
  /// The client's; no two have the same.
  package var number: Int
  /// A file of the patch.
  package var file: String
  package var line: Int
  /// A Lua expression that must be true for the breakpoint to stop.
  package var condition: String?
  /// The number of hits from which the breakpoint stops.
  package var hits: Int?
  /// Stops no call: says this, in which expressions in braces are replaced.
  package var message: String?

  package init(number: Int, file: String, line: Int) {
    self.number = number
    self.file = file
    self.line = line
  }
}

/// The answer to a debugger. The action decides which fields it has.
package struct DebugReply: Hashable, Sendable, Codable {
  package var session: Int?
  package var files: [String]?
  package var limit: Double?
  package var events: [DebugEvent]?
  package var frames: [DebugFrame]?
  package var handles: [Int]?
  package var variables: [DebugVariable]?
  package var text: String?

  package init() {}
}

/// An event that a debugger is told.
package struct DebugEvent: Hashable, Sendable, Codable {
  package enum Kind: String, Hashable, Sendable, Codable {
    /// A call has stopped.
    case stopped
    /// A call goes on, by itself or because it was told to.
    case continued
    /// A breakpoint's message, or something that went wrong: `text`.
    case output
    /// The patch has ended, or the debugger was detached: `text` says why.
    case ended
  }

  /// Why a call has stopped.
  package enum Reason: String, Hashable, Sendable, Codable {
    /// The event is none of a stop.
    case none = ""
    case breakpoint
    case step
    case pause
    /// An error leaves the patch's code.
    case fault
  }

  package var kind: Kind
  package var stop: UInt64 = 0
  /// The call, which keeps its number until it ends.
  package var call: UInt64 = 0
  /// The kernel's id of its thread.
  package var thread: UInt64 = 0
  package var reason = Reason.none
  /// The number of the breakpoint.
  package var breakpoint: Int?
  package var file = ""
  package var line = 0
  package var text = ""

  package init(_ kind: Kind) { self.kind = kind }
}

/// A function that a call is in.
package struct DebugFrame: Hashable, Sendable, Codable {
  package let level: Int
  package let file: String
  package let line: Int
  /// Empty if Lua knows none.
  package let name: String

  package init(level: Int, file: String, line: Int, name: String) {
    self.level = level
    self.file = file
    self.line = line
    self.name = name
  }
}

/// A value with its name, as text.
package struct DebugVariable: Hashable, Sendable, Codable {
  package let name: String
  package let value: String
  package let type: String
  /// Under which what is in it can be asked for; 0: nothing is.
  package let handle: Int
  /// An expression with which the variable can be evaluated; empty if there is none.
  package let expression: String
  /// Whether the value is read later because it can change: the handle then has the value as its
  /// only variable, and asking for that reads it; nil if the value has been read.
  package let isReadLater: Bool?

  package init(
    name: String, value: String, type: String, handle: Int, expression: String,
    isReadLater: Bool? = nil
  ) {
    self.isReadLater = isReadLater
    self.name = name
    self.value = value
    self.type = type
    self.handle = handle
    self.expression = expression
  }
}
