// SPDX-License-Identifier: MIT

package import WaxwingPatches

extension Policy {
  /// This policy combined with the operator's file. The stricter of both holds, except where the
  /// file allows something explicitly.
  func merged(with configuration: Configuration) -> Policy {
    var policy = self
    switch configuration.allowsUnsigned {
    case true?: policy.unsignedPatches = .allowed
    case false?: policy.unsignedPatches = .refused
    case nil: break
    }
    switch configuration.demandsAudit {
    case true?: policy.audit = .required
    case false?: policy.audit = .attempted
    case nil: break
    }
    switch configuration.showsChangingFields {
    case true?: policy.changingFields = .onRequest
    case false?: policy.changingFields = .hidden
    case nil: break
    }
    switch configuration.allowsCodeEntries {
    case true?: policy.codeEntries = .allowed
    case false?: policy.codeEntries = .refused
    case nil: break
    }
    policy.maskedNames += configuration.maskedNames
    policy.signers = configuration.signers ?? policy.signers
    policy.revoked = configuration.revoked ?? policy.revoked
    for entry in Limits.names {
      guard let limit = configuration.limits[entry.name] else { continue }
      let own = policy.limits[keyPath: entry.path]
      policy.limits[keyPath: entry.path] =
        limit.mayRaise ? limit.figure : entry.stricter(own, limit.figure)
    }
    return policy
  }

  /// The functions that no patch may override because the program says so.
  /// - Throws: `WaxwingError` if that cannot be understood.
  package func protection() throws -> SelectorRules {
    var rules = SelectorRules()
    for text in protectedSelectors {
      guard let pattern = SelectorPattern(text) else {
        throw WaxwingError(
          .refused,
          "`protectedSelectors` of the program's policy has '\(text)', which is not a pattern",
          remedy: "write it as in `Orders.*`")
      }
      rules.protected.append(pattern)
    }
    return rules
  }
}

extension Policy.Limits {
  /// A limit with the name that configuration files have for it.
  struct Name {
    /// The direction in which a figure is stricter.
    enum Order {
      /// The lower; 0 is no limit.
      case lower
      /// The lower; 0 turns something off.
      case lowest
      case higher
      /// The stricter figure is 0, which turns something off, or else the higher one.
      case zeroOrHigher
    }

    let name: String
    let path: any WritableKeyPath<Policy.Limits, Int> & Sendable
    var strict = Order.lower

    /// The stricter of two figures.
    func stricter(_ a: Int, _ b: Int) -> Int {
      switch strict {
      case .higher: return max(a, b)
      case .lowest: return min(a, b)
      case .zeroOrHigher: return a == 0 || b == 0 ? 0 : max(a, b)
      case .lower:
        if a == 0 { return b }
        return b == 0 ? a : min(a, b)
      }
    }
  }

  /// All limits: the names of the properties with dashes.
  static let names = [
    Name(name: "instructions", path: \.instructions),
    Name(name: "most-instructions", path: \.mostInstructions),
    Name(name: "milliseconds", path: \.milliseconds),
    Name(name: "most-milliseconds", path: \.mostMilliseconds),
    Name(name: "memory", path: \.memory),
    Name(name: "most-memory", path: \.mostMemory),
    Name(name: "total-memory", path: \.totalMemory),
    Name(name: "load-instructions", path: \.loadInstructions),
    Name(name: "load-milliseconds", path: \.loadMilliseconds),
    Name(name: "boot-patches", path: \.bootPatches),
    Name(name: "boot-milliseconds", path: \.bootMilliseconds),
    Name(name: "overrides", path: \.overrides),
    Name(name: "log-lines", path: \.logLines),
    Name(name: "tasks", path: \.tasks),
    Name(name: "tasks-per-second", path: \.tasksPerSecond),
    Name(name: "task-milliseconds", path: \.taskMilliseconds),
    Name(name: "depth", path: \.depth),
    Name(name: "faults", path: \.faults),
    Name(name: "stuck-seconds", path: \.stuckSeconds),
    Name(name: "debug-seconds", path: \.debugSeconds, strict: .lowest),
    Name(name: "idle-milliseconds", path: \.idleMilliseconds, strict: .zeroOrHigher),
    Name(name: "fault-seconds", path: \.faultSeconds, strict: .higher),
  ]
}
