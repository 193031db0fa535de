// SPDX-License-Identifier: MIT

/// What a patch says about itself in `patch { … }`, read without running any of it.
package struct PatchManifest: Hashable, Sendable {
  /// The name that `list` shows and `revert` takes.
  package var name: String

  /// Goes up with each release of the patch; 0 if the script does not say.
  package var version: Int

  /// The only program that may load the patch; nil for any.
  package var program: String?

  /// The only build that may load the patch, as its GNU build id in hexadecimal; nil for any.
  package var build: String?

  /// What one call, and the patch as a whole, may use.
  package var limits: PatchLimits

  /// What a failing override does.
  package var onError: FailurePolicy

  /// Whether the patch keeps no state of its own, so that it may run on several cores at once.
  package var parallel: Bool

  /// Creates the manifest of a patch that has none.
  package init(name: String) {
    self.name = name
    version = 0
    limits = PatchLimits()
    onError = .original
    parallel = false
  }
}

extension PatchManifest {
  /// What happens when an override fails.
  package enum FailurePolicy: String, Hashable, Sendable, CaseIterable {
    /// The original runs, or its result stands if it has run.
    case original
    /// Functions that can throw throw the error; the others behave as with ``original``.
    case `throw`
  }
}

extension PatchManifest {
  /// Reads the manifest of a patch; a patch without one is named for its file.
  /// - Throws: ``PatchError`` with the file, the line and the key at fault.
  package init(of source: PatchSource) throws(PatchError) {
    self.init(name: source.baseName)
    if let table = try ManifestReader.table(in: source.main) {
      var fields = try ManifestFields(table, of: source.main)
      try self.init(from: &fields, defaultName: source.baseName)
    }
    try ManifestReader.checkName(name, in: source.main)
    for module in source.modules { try ManifestReader.checkModule(module) }
  }

  private init(from fields: inout ManifestFields, defaultName: String) throws(PatchError) {
    self.init(name: try fields.text("name") ?? defaultName)
    version = try fields.count("version", from: 0) ?? 0
    program = try fields.text("program")
    build = try fields.build("build")
    if var inner = try fields.table("limits") { limits = try PatchLimits(from: &inner) }
    onError = try fields.choice("on_error") ?? .original
    parallel = try fields.boolean("parallel") ?? false
    try fields.refuseOthers()
  }
}
