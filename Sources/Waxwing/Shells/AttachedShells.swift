// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingBridge
import WaxwingControl
import WaxwingCore
import WaxwingLua
import WaxwingOperations
import WaxwingPatches
import WaxwingScripting

/// Shells inside the program, for clients with the role `own`. Each shell is a patch of the engine,
/// which runs the pieces that are typed, and ends with its client.
final class AttachedShells: Sendable {
  private let engine: Engine
  private let patches: PatchOperations
  private let watches: Watches
  private let audit: AuditTrail
  private let last = Atomic(0)

  /// A script, for as long as its session has it.
  private struct Script {
    weak var runtime: ScriptRuntime?
  }

  /// The scripts by the shell's name.
  private let scripts = Mutex<[String: Script]>([:])

  init(
    _ engine: Engine, _ patches: PatchOperations, _ watches: Watches, _ audit: AuditTrail
  ) {
    self.engine = engine
    self.patches = patches
    self.watches = watches
    self.audit = audit
  }

  /// The seconds after which a shell that sends nothing ends. Clients ping more often.
  private static let patience = 10.0

  /// The number of bytes of a piece that are recorded.
  private static let mostRecorded = 1000

  func answer(_ request: ShellRequest, by actor: AuditRecord.Actor) throws -> ShellReply {
    switch request {
    case .open: return try open(by: actor)
    case .evaluate(let name, let text): return try evaluate(text, in: name, by: actor)
    case .complete(let name, let text):
      return .words(try console(of: name).attachedCompletions(of: text))
    case .ping(let name):
      _ = try console(of: name)
      return .pong
    case .interrupt(let name):
      try console(of: name).interruptAttached()
      return .pong
    }
  }

  private func open(by actor: AuditRecord.Actor) throws -> ShellReply {
    try watches.prepare()
    let name = "shell-\(last.add(1, ordering: .relaxed).newValue)"
    let text = "patch { name = \"\(name)\", version = 1 }\n"
    let source = try PatchSource(files: [PatchFile(name: "shell.lua", bytes: Array(text.utf8))])
    let application = try patches.applyOwn(source, for: .shell, by: actor)
    guard let session = application.applied.first?.session else { throw Watches.ended(name) }
    let script = session.runtime
    scripts.withLock { scripts in
      scripts = scripts.filter { $0.value.runtime != nil }
      scripts[name] = Script(runtime: script)
    }
    watches.add(session, patience: Self.patience)
    return .opened(name: name)
  }

  /// Evaluates a text that a user has typed. The text is recorded before it runs.
  private func evaluate(
    _ text: String, in name: String, by actor: AuditRecord.Actor
  ) throws -> ShellReply {
    let console = try console(of: name)
    var record = AuditRecord(
      "shell", "done", by: actor, patches: [AuditRecord.Patch(name: name)],
      generation: engine.sessions.generation)
    record.terms = String(text.prefix(Self.mostRecorded))
    try audit.demand(record)
    guard let (evaluation, output) = console.evaluateAttached(text, name: "shell") else {
      throw Watches.ended(name)
    }
    return switch evaluation {
    case .done: .done(output: output)
    case .incomplete: .incomplete
    case .failed(let failure):
      .failed(
        output: output, message: failure.message, frames: failure.frames.map(\.description))
    }
  }

  private func console(of name: String) throws(WaxwingError) -> ScriptConsole {
    guard watches.touch(name), let runtime = scripts.withLock({ $0[name]?.runtime }) else {
      throw Watches.ended(name)
    }
    return ScriptConsole(runtime)
  }
}
