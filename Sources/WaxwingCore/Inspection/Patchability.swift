// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Synchronization
import WaxwingInterception
import WaxwingReflection
package import WaxwingSelfCheck
import WaxwingSystem

/// Whether anything in this process can be overridden. Each part is looked at once, when it is asked for.
package final class Patchability: Sendable {
  /// The reason why patches cannot be applied, and the remedy.
  package struct Obstacle: Hashable, Sendable {
    let reason: String
    var remedy = ""

    /// The reason and the remedy on one line.
    package var text: String { remedy.isEmpty ? reason : "\(reason); \(remedy)" }
  }

  private struct Findings {
    var abi: Obstacle??
    var failure: Obstacle??
  }

  package static let shared = Patchability()

  private let check: ABICheck
  private let findings = Mutex(Findings())

  package init(_ check: ABICheck = ABICheck()) {
    self.check = check
  }

  /// Why nothing can be overridden; nil: something can.
  package var reason: String? { failure?.text ?? Self.program }

  /// The obstacle that this machine, its Swift or the build of the program puts in the way, so that
  /// no patch is applied; nil if there is none.
  package var failure: Obstacle? {
    if let known = findings.withLock({ $0.failure }) { return known }
    let found = Self.cpu ?? abi ?? Self.lookup
    findings.withLock { $0.failure = found }
    return found
  }

  /// The failure that the self-check of the ABI has found. Types and functions must not be looked
  /// at then.
  package var abi: Obstacle? {
    if let known = findings.withLock({ $0.abi }) { return known }
    let found = Self.cpu == nil ? check.failure().map(Self.obstacle) : nil
    findings.withLock { $0.abi = found }
    return found
  }

  /// A warning that is shown although all can be patched.
  package var warning: String? { failure == nil ? Toolchain.current.warning : nil }

  private static func obstacle(_ failure: ABICheck.Failure) -> Obstacle {
    let swift = Toolchain.current
    return Obstacle(
      reason:
        "this program's Swift has an ABI that Waxwing does not know: \(failure.canary): "
        + "\(failure.found) (compiler \(swift.compiler), standard library \(swift.library))",
      remedy: "build the program with Swift \(Toolchain.testedText), or use a Waxwing that was "
        + "tested with this Swift")
  }

  private static var cpu: Obstacle? {
    Invocation.isSupported
      ? nil
      : Obstacle(
        reason:
          "functions can be overridden on x86_64 only; this process runs on another architecture")
  }

  private static var lookup: Obstacle? {
    guard program == nil, hasEntries, let headers = unsafe wax_process_program_headers(),
      unsafe !Lookup.reaches(headers)
    else {
      return nil
    }
    return unsafe Obstacle(reason: Lookup.reason(headers))
  }

  /// Why none of the program's own functions can be: those of a library that is loaded later may be.
  private static var program: String? {
    if case .failure(let error) = entries { error.message } else { nil }
  }

  /// Whether functions of the program's own ask for their replacements.
  private static var hasEntries: Bool {
    if case .success(let hasEntries) = entries { hasEntries } else { false }
  }

  /// Whether the program has replacement entries, or why it has nothing that can be overridden.
  private static let entries: Result<Bool, ElfError> = {
    do throws(ElfError) {
      return .success(try PatchPointCatalog.check(try ElfImage(symbolsOf: "/proc/self/exe")))
    } catch {
      // What is in its own libraries is looked for where they are.
      return hasPatchableLibrary ? .success(false) : .failure(error)
    }
  }()

  /// Whether one of the program's own libraries has something that can be overridden.
  private static var hasPatchableLibrary: Bool {
    RunningImage.all().dropFirst().contains { image in
      guard !image.isSystem, let file = try? ElfImage(symbolsOf: image.file) else { return false }
      return (try? PatchPointCatalog.check(file)) != nil
    }
  }
}

extension Patchability {
  /// - Throws: `WaxwingError` if the program's types and functions must not be looked at.
  package func demandKnownABI() throws {
    guard let obstacle = abi else { return }
    throw WaxwingError(.unsupported, obstacle.reason, remedy: obstacle.remedy)
  }

  /// Looks whether the program can be patched, and says so if it cannot, without holding up its start.
  package func report(to log: Log) {
    let body: @Sendable () -> Void = { [self] in
      if let reason {
        log.write(.warning, "patching.impossible", "nothing can be patched here: \(reason)")
      } else if let warning {
        log.write(.warning, "swift.untested", warning)
      }
    }
    do throws(ThreadError) {
      try EngineThread.start(name: "waxwing-check", stackSize: 1 << 20, body: body)
    } catch {
      body()
    }
  }
}
