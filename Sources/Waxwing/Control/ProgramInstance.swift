// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingPatches
import WaxwingReflection

/// The instance of its program that a process is.
enum ProgramInstance: Hashable, Sendable {
  /// The one that is called as the program.
  case first
  /// An instance with a name of its own. It keeps its own patches, its own serial numbers and its
  /// own audit log.
  case named(String)
  /// An instance without a name that began when another one was running, and is called by its
  /// process id. It starts with the patches that the first one keeps, and keeps none itself.
  case further(Int32)

  /// Creates the instance that the program names, or else the environment.
  /// - Throws: `WaxwingError` for a name that is not one.
  init(name: String?) throws {
    guard let name = name ?? ConfigurationFolder.environment("WAXWING_INSTANCE") else {
      self = .first
      return
    }
    do throws(ControlError) {
      _ = try SocketName(program: ProgramName.current, instance: name)
    } catch {
      throw WaxwingError(.refused, error.message, remedy: error.remedy)
    }
    self = .named(name)
  }

  /// The name after the `@`; nil for the first instance.
  var name: String? {
    switch self {
    case .first: nil
    case .named(let name): name
    case .further(let pid): "\(pid)"
    }
  }

  /// The name of the instance's files: `bankd`, or `bankd@blue`.
  var fileName: String {
    guard case .named(let name) = self else { return ProgramName.current }
    return "\(ProgramName.current)@\(name)"
  }

  /// Whether the instance starts with the patches of another one.
  var isFurther: Bool { if case .further = self { true } else { false } }

  /// The audit log that the configuration names for the program: a named instance has one beside it,
  /// `bankd@blue.audit` for `bankd.audit`.
  func auditLog(_ path: String) -> String {
    guard case .named(let name) = self else { return path }
    return StoredFileName.audit(path, ofInstance: name)
  }
}
