// SPDX-License-Identifier: MIT

import Glibc
import WaxwingInterception
import WaxwingLua
import WaxwingNames
import WaxwingOverrides
import WaxwingPatches
import WaxwingReflection
import WaxwingScripting

/// Runs the scripts of one patch, in as many Lua states as it has.
struct ScriptLoading {
  let log: Log
  let policy: Policy
  let program: ProgramReader
  let registry: OverrideRegistry
  let gate: SelectorGate

  /// As many Lua states as there are cores, at most this many, for a parallel patch.
  private static let mostStates = 8

  func load(
    _ source: PatchSource, _ manifest: PatchManifest, _ number: Int, _ hash: StoreHash
  ) throws -> ScriptRuntime {
    let first = try loadOne(source, manifest, number, hash)
    guard manifest.parallel else { return first }
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    var replicas: [ScriptRuntime] = []
    do {
      for _ in 1..<max(2, min(Self.mostStates, cores)) {
        replicas.append(try loadOne(source, manifest, number, hash))
      }
      if let reason = first.join(replicas) {
        throw WaxwingError(
          .refused, "\(source.main.name): \(reason)",
          remedy: "leave `parallel` out, or declare the same in every run")
      }
    } catch {
      for script in replicas + [first] { _ = script.close(atMost: .seconds(1)) }
      throw error
    }
    return first
  }

  private func loadOne(
    _ source: PatchSource, _ manifest: PatchManifest, _ number: Int, _ hash: StoreHash
  ) throws -> ScriptRuntime {
    let runtime: ScriptRuntime
    do {
      let resolver = NameResolver(try program.current())
      var options = options(manifest, number, resolver)
      options.crumb = hash.prefix
      runtime = try ScriptRuntime(resolver, options)
    } catch let error as WaxwingError {
      throw error
    } catch {
      throw WaxwingError(
        .refused, "\(source.main.name): the memory limit is too small for an empty Lua state",
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

  private func options(
    _ manifest: PatchManifest, _ number: Int, _ resolver: NameResolver
  ) -> ScriptOptions {
    let declared = DeclaredOverrides(manifest.overrides, resolver)
    let name = manifest.name
    let most = policy.limits.overrides
    let limits = policy.limits.granted(to: manifest)
    let limiter = LogLimiter(perSecond: policy.limits.logLines)
    let failed: @Sendable (String, OverrideFault) -> Void = { [log] event, fault in
      log.write(patch: name, limiter) { $0.write(event, fault, patch: name) }
    }
    var options = ScriptOptions(
      memoryLimit: limits.memory, callLimits: limits.call, loadLimits: limits.load,
      allowsWeakTables: manifest.capabilities.contains(Policy.Capability.weakTables.rawValue),
      isParallel: manifest.parallel,
      onError: manifest.onError == .throw ? .throw : .original,
      log: { [log] line in log.write(patch: name, limiter) { $0.write(line, patch: name) } },
      report: { [log] override, fault in log.write(fault, of: override, patch: name) },
      tasks: TaskQuota.Limits(
        live: policy.limits.tasks, perSecond: policy.limits.tasksPerSecond),
      breaker: Breaker.Limits(
        faults: policy.limits.faults, seconds: policy.limits.faultSeconds),
      depth: policy.limits.depth,
      switchedOff: { [log] override, reason in
        log.write(switchedOff: override, reason, patch: name)
      },
      bypassed: { [log] override, reason in log.write(reason, of: override, patch: name) },
      added: { [registry, gate] override in
        let others = registry.overrides(of: number)
        let reason =
          DeclarationChecks.reason(
            against: override, of: manifest, declared, among: others, most: most)
          ?? gate.reason(against: override.qualifiedName)
        if let reason { return reason }
        do throws(InterceptionError) {
          try registry.install(override, in: number)
          return nil
        } catch {
          return error.message
        }
      },
      removed: { [registry] override in registry.remove(override, from: number) },
      version: { [registry] type in registry.versions[type] ?? 0 },
      closureFailed: { fault in failed("closure.failed", fault) },
      callbackFailed: { fault in failed("callback.failed", fault) },
      taskFailed: { fault in failed("task.failed", fault) },
      makeError: { LuaError($0) })
    options.name = name
    options.taskShare.milliseconds = max(0, policy.limits.taskMilliseconds)
    return options
  }
}
