// SPDX-License-Identifier: MIT

import Glibc
import WaxwingBridge
import WaxwingLua
import WaxwingPatches
import WaxwingScripting

/// Runs the scripts of one patch, in as many Lua states as it has.
struct ScriptLoading {
  let log: Log
  let policy: Policy
  let program: ProgramReader
  let registry: OverrideRegistry
  let permissions: PatchPermissions
  let messages: OutgoingMessages

  /// The largest number of Lua states of a parallel patch, which otherwise has one for each core.
  private static let mostStates = 8

  func load(
    _ patch: AdmittedPatch, _ manifest: PatchManifest, _ number: Int, _ hash: ContentHash
  ) throws -> ScriptRuntime {
    if let selection = patch.selection, selection.mode != .part, manifest.parallel {
      throw WaxwingError(
        .refused,
        "\(patch.source.main.name): a `parallel` patch cannot be a shadow, or tried on replays",
        remedy: "leave `parallel` out to try it")
    }
    let first = try loadOne(patch, manifest, number, hash)
    guard manifest.parallel else { return first }
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    var replicas: [ScriptRuntime] = []
    do {
      for _ in 1..<max(2, min(Self.mostStates, cores)) {
        replicas.append(try loadOne(patch, manifest, number, hash))
      }
      if let reason = first.join(replicas) {
        throw WaxwingError(
          .refused, "\(patch.source.main.name): \(reason)",
          remedy: "leave `parallel` out, or declare the same in every run")
      }
    } catch {
      for script in replicas + [first] { _ = script.close(atMost: .seconds(1)) }
      throw error
    }
    return first
  }

  private func loadOne(
    _ patch: AdmittedPatch, _ manifest: PatchManifest, _ number: Int, _ hash: ContentHash
  ) throws -> ScriptRuntime {
    let runtime: ScriptRuntime
    do {
      let resolver = NameResolver(try program.current())
      var options = options(manifest, number, resolver)
      options.breadcrumb = hash.prefix
      options.selection = patch.selection
      options.purpose = patch.purpose
      runtime = try ScriptRuntime(resolver, options)
    } catch let error as WaxwingError {
      throw error
    } catch {
      throw WaxwingError(
        .refused, "\(patch.source.main.name): the memory limit is too small for an empty Lua state",
        remedy: "raise `limits.memory` in the manifest, or leave it out")
    }
    do throws(LuaFailure) {
      try runtime.load(
        patch.source.files.map { file in
          ScriptSource(
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
    let limits = policy.limits
    let granted = limits.granted(to: manifest)
    var options = ScriptOptions(
      PatchHost(
        log, limits, registry, permissions, number: number, manifest,
        DeclaredOverrides(manifest.overrides, resolver), messages))
    options.name = manifest.name
    options.memoryLimit = granted.memory
    options.callLimits = granted.call
    options.loadLimits = granted.load
    options.allowsWeakTables = manifest.capabilities.contains(
      Policy.Capability.weakTables.rawValue)
    options.allowsCodeEntries = policy.codeEntries == .allowed
    options.isPartial = manifest.partial
    options.isParallel = manifest.parallel
    options.onError = manifest.onError == .throw ? .throw : .original
    options.tasks = TaskQuota.Limits(live: limits.tasks, perSecond: limits.tasksPerSecond)
    options.taskShare.milliseconds = max(0, limits.taskMilliseconds)
    options.breaker = Breaker.Limits(faults: limits.faults, seconds: limits.faultSeconds)
    options.depth = limits.depth
    return options
  }
}
