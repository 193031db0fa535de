// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception
import WaxwingLua
import WaxwingPatches
import WaxwingReflection

extension Engine {
  /// What `apply` did.
  struct Application {
    let info: PatchInfo
    let session: Session
    var replacedVersion: Int?
    var isUnchanged = false
    var warnings: [String] = []
  }

  /// Starts a patch. Any failure leaves no trace.
  func start(_ source: PatchSource) throws -> Application {
    try operation {
      let manifest = try check(source)
      if let live = session(named: manifest.name) {
        throw WaxwingError(
          .conflict, "a patch named `\(live.name)` is live already",
          remedy: "end it first, or `apply` to replace it")
      }
      return try begin(source, manifest)
    }
  }

  /// Starts a patch in the place of an older one of its name.
  func apply(_ source: PatchSource, waitAtMost duration: Duration) throws -> Application {
    try operation {
      let manifest = try check(source)
      guard let older = session(named: manifest.name) else { return try begin(source, manifest) }
      if older.source == source {
        return Application(info: older.info, session: older.handle, isUnchanged: true)
      }
      var application = try begin(source, manifest)
      application.replacedVersion = older.manifest.version
      let restoration = end([older], waitAtMost: duration)
      if !restoration.laggards.isEmpty {
        application.warnings.append(
          "\(restoration.laggards.count) calls are still in the older version")
      }
      return application
    }
  }

  private func check(_ source: PatchSource) throws -> PatchManifest {
    if let reason = Self.unsupportedReason { throw WaxwingError(.unsupported, reason) }
    let manifest: PatchManifest
    do { manifest = try PatchManifest(of: source) } catch { throw WaxwingError(error) }
    let program = try runningProgram()
    if let wanted = manifest.program, wanted != program.name {
      throw WaxwingError(
        .refused, "\(source.main.name): the patch is for `\(wanted)`; this is `\(program.name)`")
    }
    if let wanted = manifest.build, wanted != program.buildID {
      throw WaxwingError(
        .refused,
        "\(source.main.name): the patch is for build \(wanted); this is build "
          + "\(program.buildID ?? "without an id")",
        remedy: "check the patch against this build and change `build` in its manifest")
    }
    return manifest
  }

  private func begin(_ source: PatchSource, _ manifest: PatchManifest) throws -> Application {
    let runtime = try load(source, manifest)
    let gate: Switch
    do { gate = try Switch() } catch { throw WaxwingError(error) }
    let session = PatchSession(
      number: nextNumber(), source: source, manifest: manifest, runtime: runtime, gate: gate)
    try install(session)
    try prepare(session)
    gate.activate()
    methods.add(session)
    sessions.append(session)
    runtime.runAll(.started)
    log.write(
      .info, "patch.applied", "\(session.name) is live",
      [("version", "\(manifest.version)"), ("overrides", "\(session.overrides.count)")])
    var application = Application(info: session.info, session: session.handle)
    application.warnings += Self.unenforced(manifest)
    if session.overrides.isEmpty, runtime.methods.isEmpty {
      application.warnings.append("the patch declares no override: it changes nothing")
    }
    return application
  }

  /// What the manifest asks for and this version does not do.
  private static func unenforced(_ manifest: PatchManifest) -> [String] {
    var warnings: [String] = []
    if manifest.limits.instructions != nil {
      warnings.append("`limits.instructions` is not enforced by this version")
    }
    if manifest.limits.milliseconds != nil {
      warnings.append("`limits.milliseconds` is not enforced by this version")
    }
    if manifest.parallel {
      warnings.append("`parallel` is ignored by this version: calls take turns in one Lua state")
    }
    return warnings
  }

  private func load(_ source: PatchSource, _ manifest: PatchManifest) throws -> ScriptRuntime {
    let runtime: ScriptRuntime
    do {
      runtime = try ScriptRuntime(NameResolver(try runningProgram()), options(manifest))
    } catch let error as WaxwingError {
      throw error
    } catch {
      throw WaxwingError(
        .refused, "\(source.main.name): the memory limit does not hold an empty Lua state",
        remedy: "raise `limits.memory` in the manifest, or leave it out")
    }
    do throws(LuaFailure) {
      try runtime.load(
        source.files.map { file in
          ScriptRuntime.Source(
            name: file.name, module: file.moduleName, text: file.bytes)
        })
      return runtime
    } catch {
      _ = runtime.close(atMost: .seconds(1))
      throw WaxwingError(
        .refused, error.message, details: error.frames.map(\.description),
        remedy: "nothing was changed")
    }
  }

  private func options(_ manifest: PatchManifest) -> ScriptOptions {
    let name = manifest.name
    return ScriptOptions(
      memoryLimit: manifest.limits.memory,
      onError: manifest.onError == .throw ? .throw : .original,
      log: { [log] line in log.write(line, patch: name) },
      report: { [log] override, fault in log.write(fault, of: override, patch: name) },
      closureFailed: { [log] fault in log.write("closure.failed", fault, patch: name) },
      callbackFailed: { [log] fault in log.write("callback.failed", fault, patch: name) },
      makeError: { LuaError($0) })
  }

  /// Installs all layers behind the switch, which is off; all or none.
  private func install(_ session: PatchSession) throws {
    do throws(InterceptionError) {
      for override in session.overrides {
        let point = override.point
        remember(point, override.qualifiedName)
        let layer = try interceptor.install(
          at: point, session: session.gate, context: override.context, owner: override,
          handler: override.handler)
        override.layer = layer.opaquePointer
        session.layers.append(layer)
      }
    } catch {
      discard(session)
      throw WaxwingError(error)
    }
  }

  /// Runs the callbacks that may refuse the patch.
  private func prepare(_ session: PatchSession) throws {
    do throws(LuaFailure) {
      try session.runtime.run(.starting)
    } catch {
      discard(session)
      throw WaxwingError(
        .refused, error.message,
        details: ["in a callback of on(\"starting\")"] + error.frames.map(\.description),
        remedy: "nothing was changed")
    }
  }

  /// Leaves no trace of a session that has not been live.
  private func discard(_ session: PatchSession) {
    interceptor.remove(session.layers.reversed())
    _ = interceptor.restore(atMost: .seconds(1))
    _ = session.runtime.close(atMost: .seconds(1))
  }

  private func remember(_ point: InterceptionPoint, _ function: String) {
    guard !snapshot.contains(where: { $0.point == point }) else { return }
    snapshot.append(
      EntrySnapshot(point: point, word: point.entry.pointee, function: function))
  }
}

extension WaxwingError {
  init(_ error: PatchError) {
    self.init(.refused, error.located, remedy: error.remedy)
  }

  init(_ error: InterceptionError) {
    self.init(error.code == .unsupportedCPU ? .unsupported : .conflict, error.message)
  }
}

extension Log {
  func write(_ line: ScriptOptions.LogLine, patch: String) {
    let level: LogEvent.Level =
      switch line.level {
      case "debug": .debug
      case "warn": .warning
      case "error": .error
      default: .info
      }
    let place = line.position.map { "\($0.source):\($0.line ?? 0)" } ?? patch
    write(level, "patch.log", line.message, [("patch", patch), ("at", place)] + line.fields)
  }

  func write(_ event: String, _ fault: OverrideFault, patch: String) {
    let place = fault.position.map { "\($0.source):\($0.line ?? 0)" } ?? patch
    write(
      .error, event, fault.messageWithoutPosition,
      [("patch", patch), ("at", place), ("function", fault.function)])
  }

  func write(_ fault: OverrideFault, of override: Override, patch: String) {
    write(
      .error, "override.failed", fault.message,
      [("patch", patch), ("function", override.qualifiedName), ("errors", "\(override.faults)")])
  }
}
