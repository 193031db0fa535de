// SPDX-License-Identifier: MIT

import WaxwingDeclarations
package import WaxwingPatches

/// An operation on the program, done or tried.
package struct AuditRecord: Sendable {
  /// The program, user or service that did the operation.
  package enum Actor: Hashable, Sendable {
    /// The program itself, by calling the engine.
    case program
    /// A client of the control socket.
    case client(pid: Int32, uid: UInt32, user: String?)
  }

  /// A patch that it was done with.
  package struct Patch: Hashable, Sendable {
    /// The name of the patch.
    package var name: String
    /// The version of its manifest.
    var version: Int?
    /// The ``PatchSource/sha256`` of the patch.
    var sha256: String?
    /// The name of the signer.
    var signer: String?
    /// The serial number that the signer gave it.
    var serial: Int?
    /// The key of the signer.
    package var key: String?
    /// The floor that it has raised: the log has all that is needed to know them.
    package var floor: SerialFloor?
    /// The hash of its file among the kept patches.
    package var stored: String?

    /// Describes a patch.
    package init(
      name: String, version: Int? = nil, sha256: String? = nil, signer: String? = nil,
      serial: Int? = nil
    ) {
      self.name = name
      self.version = version
      self.sha256 = sha256
      self.signer = signer
      self.serial = serial
    }
  }

  /// The event: `apply`, `revert`, `restore`, `confirm`, `trial.ended`, `boot.load`, `boot.skip`, …
  var event: String
  /// `done`, `partial`, `refused`, `undone`, `found`.
  package var verdict: String
  /// The program, user or service that did the operation.
  var actor: Actor
  /// The patches of the operation.
  package var patches: [Patch]
  /// The patches that ended with it, where it is not about these.
  package var ended: [Patch] = []
  /// The patches that came back with it.
  package var back: [Patch] = []
  /// The time for which patches were applied: `keep`, `trial 600 s`.
  package var terms: String?
  /// How often the set of live patches had changed in this process before this.
  package var generationBefore: Int?
  /// How often it has with this change.
  package var generation: Int?
  /// The reason for a refusal, or another remark.
  package var reason: String?

  /// Creates a record.
  package init(
    _ event: String, _ verdict: String, by actor: Actor, patches: [Patch] = [],
    before: Int? = nil, generation: Int? = nil, reason: String? = nil
  ) {
    self.event = event
    self.verdict = verdict
    self.actor = actor
    self.patches = patches
    generationBefore = before
    self.generation = generation
    self.reason = reason
  }

  /// Patches beyond these are counted only: a line has an end.
  private static let patchLimit = 64

  /// The record's line, without its line break. The number comes first and the hash of the line
  /// before it last, which is how a line is known to be one.
  func line(number: Int, time: String, pid: Int32, previous: String) -> String {
    var line = JSONLine()
    line.add("n", number)
    line.add("time", time)
    line.add("event", event, atMost: 64)
    line.add("verdict", verdict, atMost: 64)
    line.add("daemon_pid", Int(pid))
    add(actor, to: &line)
    add("patches", patches, to: &line)
    if patches.count > Self.patchLimit { line.add("patch_count", patches.count) }
    add("ended", ended, to: &line)
    add("back", back, to: &line)
    line.add("terms", ifSome: terms, atMost: 64)
    if let generationBefore { line.add("generation_before", generationBefore) }
    if let generation { line.add("generation", generation) }
    line.add("reason", ifSome: reason, atMost: 2048)
    line.add("prev", previous)
    return line.object
  }

  private func add(_ name: String, _ patches: [Patch], to line: inout JSONLine) {
    guard !patches.isEmpty else { return }
    let list = patches.prefix(Self.patchLimit).map(\.json).joined(separator: ",")
    line.add(name, raw: "[\(list)]")
  }

  private func add(_ actor: Actor, to line: inout JSONLine) {
    switch actor {
    case .program: line.add("by", "program")
    case .client(let pid, let uid, let user):
      line.add("by", "client")
      line.add("pid", Int(pid))
      line.add("uid", Int(uid))
      line.add("user", ifSome: user, atMost: 256)
    }
  }
}

extension AuditRecord.Patch {
  fileprivate var json: String {
    var object = JSONLine()
    object.add("name", name, atMost: 256)
    if let version { object.add("version", version) }
    object.add("sha256", ifSome: sha256)
    object.add("signer", ifSome: signer, atMost: 256)
    object.add("key", ifSome: key, atMost: 256)
    if let serial { object.add("serial", serial) }
    if let floor { object.add("floor", raw: floor.json) }
    object.add("stored", ifSome: stored)
    return object.object
  }
}

extension SerialFloor {
  fileprivate var json: String {
    var object = JSONLine()
    object.add("program", program, atMost: 256)
    object.add("key", key, atMost: 256)
    object.add("serial", serial)
    return object.object
  }
}
