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
  /// - Parameter writesCode: Whether the code of functions may be rewritten.
  package func reason(writesCode: Bool) -> String? {
    failure?.text ?? Self.program ?? (Self.means == .code && !writesCode ? Self.onlyCode : nil)
  }

  private static let onlyCode =
    "no module of the program was compiled with implicit dynamic, and it has no async closures: its functions can be "
    + "overridden only by rewriting their code, which `code-entries = allow` in the configuration allows"

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
    guard Self.means == .replacementEntries, let headers = unsafe wax_process_program_headers(),
      unsafe !Lookup.reaches(headers)
    else {
      return nil
    }
    return unsafe Obstacle(reason: Lookup.reason(headers))
  }

  /// Why none of the program's own functions can be: those of a library that is loaded later may be.
  private static var program: String? {
    if case .failure(let error) = found { error.message } else { nil }
  }

  private static var means: PatchPointCatalog.Means? { try? found.get() }

  /// By what functions of the program can be overridden, or why they cannot be.
  private static let found: Result<PatchPointCatalog.Means, ElfError> = {
    do throws(ElfError) {
      return .success(try PatchPointCatalog.means(of: try ElfImage(symbolsOf: "/proc/self/exe")))
    } catch {
      // What is in its own libraries is looked for where they are.
      return libraryMeans.map { .success($0) } ?? .failure(error)
    }
  }()

  /// By what functions of the program's own libraries can be overridden; nil: none can be. It does not matter here whether
  /// a library has replacement entries.
  private static var libraryMeans: PatchPointCatalog.Means? {
    let all = RunningImage.all().dropFirst().compactMap { image -> PatchPointCatalog.Means? in
      guard !image.isSystem, let file = try? ElfImage(symbolsOf: image.file) else { return nil }
      return try? PatchPointCatalog.means(of: file)
    }
    return all.isEmpty ? nil : all.allSatisfy { $0 == .code } ? .code : .closurePointers
  }
}

extension Patchability {
  /// - Throws: `WaxwingError` if the program's types and functions must not be looked at.
  package func demandKnownABI() throws {
    guard let obstacle = abi else { return }
    throw WaxwingError(.unsupported, obstacle.reason, remedy: obstacle.remedy)
  }

  /// Looks whether the program can be patched, and says so if it cannot, without holding up its start.
  /// - Parameter writesCode: Whether the code of functions may be rewritten.
  package func report(to log: Log, writesCode: Bool) {
    let body: @Sendable () -> Void = { [self] in
      if let reason = reason(writesCode: writesCode) {
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
