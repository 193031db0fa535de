// SPDX-License-Identifier: MIT

/// The statements of a patch about itself in `patch { … }`, read without running any of it.
package struct PatchManifest: Hashable, Sendable {
  /// The name that `list` shows and `revert` takes.
  package var name: String

  /// Goes up with each release of the patch; 0 if the script does not say.
  package var version: Int

  /// The only program that may load the patch; nil for any.
  package var program: String?

  /// The builds that may load the patch, as GNU build ids in hexadecimal; none for any.
  package var builds: [String]

  /// Goes up with each patch that a key signs for a program, so that an older one cannot come back.
  package var serial: Int?

  /// The time from which the patch can no longer be loaded, in seconds since 1970.
  package var expires: Int?

  /// The capabilities that the patch uses, which are off by default.
  package var capabilities: [String]

  /// The functions that the patch overrides, as `waxwing list` names them; nil if the manifest does
  /// not say.
  package var overrides: [String]?

  /// The limits of one call, and of the patch as a whole.
  package var limits: PatchLimits

  /// The treatment of a failing override.
  package var onError: FailurePolicy

  /// Whether the patch may override functions of which some calls do not see an override, by rewriting their code.
  package var partial: Bool

  /// Whether the patch keeps no state of its own, so that it may run on several cores at once.
  package var parallel: Bool

  /// Creates the manifest of a patch that has none.
  package init(name: String) {
    self.name = name
    version = 0
    builds = []
    capabilities = []
    limits = PatchLimits()
    onError = .original
    partial = false
    parallel = false
  }
}

extension PatchManifest {
  /// The treatment of a failing override.
  package enum FailurePolicy: String, Hashable, Sendable, CaseIterable {
    /// The original runs, or its result stands if it has run.
    case original
    /// Functions that can throw throw the error; the others behave as with ``original``.
    case `throw`
  }
}

extension PatchManifest {
  /// Reads the manifest of a patch; a patch without one is named for its file.
  /// - Parameter isSigned: Whether the manifest has to say all that a signature is to vouch for.
  /// - Throws: ``PatchError`` with the file, the line and the key at fault.
  package init(of source: PatchSource, isSigned: Bool = false) throws(PatchError) {
    self.init(name: source.baseName)
    if let table = try ManifestReader.table(in: source.main) {
      var fields = try ManifestFields(table, of: source.main)
      let isNamed = fields.has("name")
      try self.init(from: &fields, defaultName: source.baseName)
      if isSigned { try checkStated(isNamed: isNamed, in: source.main) }
    } else if isSigned {
      try checkStated(isNamed: false, in: source.main)
    }
    try ManifestReader.checkName(name, in: source.main)
    for module in source.modules { try ManifestReader.checkModule(module) }
  }

  private init(from fields: inout ManifestFields, defaultName: String) throws(PatchError) {
    self.init(name: try fields.text("name") ?? defaultName)
    version = try fields.count("version", from: 0) ?? 0
    program = try fields.text("program")
    builds = try fields.builds("build")
    serial = try fields.count("serial", from: 1)
    expires = try fields.moment("expires")
    capabilities = try fields.texts("capabilities") ?? []
    overrides = try fields.texts("overrides")
    if var inner = try fields.table("limits") { limits = try PatchLimits(from: &inner) }
    onError = try fields.choice("on_error") ?? .original
    partial = try fields.boolean("partial") ?? false
    parallel = try fields.boolean("parallel") ?? false
    try fields.refuseOthers()
  }
}

extension PatchManifest {
  /// The file's name and the program that a patch is sent to are not under the signature. Where a
  /// signature is demanded, who signs has to say them.
  private func checkStated(isNamed: Bool, in file: PatchFile) throws(PatchError) {
    let missing = [
      isNamed ? nil : "name", program == nil ? "program" : nil, serial == nil ? "serial" : nil,
    ].compactMap(\.self)
    guard !missing.isEmpty else { return }
    throw PatchError(
      .manifest, file: file.name,
      message: "the manifest of a signed patch needs \(missing.joined(separator: ", "))",
      remedy: "write patch { name = \"…\", program = \"…\", serial = 1 } and sign it again")
  }
}
