// SPDX-License-Identifier: MIT

/// The contents of a program's configuration file.
package struct Configuration: Hashable, Sendable {
  /// A limit as the operator set it.
  package struct Limit: Hashable, Sendable {
    /// The figure; 0 is no limit.
    package var figure: Int
    /// Whether the limit holds even if the program's own is stricter.
    package var mayRaise: Bool

    /// Creates a limit.
    package init(figure: Int, mayRaise: Bool) {
      self.figure = figure
      self.mayRaise = mayRaise
    }
  }

  /// The accounts that may look, apply and end patches, or change the rules, by role: `observe`,
  /// `operate`, `own`.
  package var grants: [String: [Account]] = [:]

  /// The group that the control socket is opened to.
  package var socketGroup: UInt32?

  /// Whether patches need no signature; nil: the program decides.
  package var allowsUnsigned: Bool?

  /// The list of those who may sign.
  package var signers: String?

  /// The list of keys that are revoked.
  package var revoked: String?

  /// The folder in which the program's folder of kept patches is.
  package var store: String?

  /// The audit log's file.
  package var audit: String?

  /// Whether patches are applied only if that can be recorded; nil: only if there is an audit log.
  package var demandsAudit: Bool?

  /// Whether properties that can change are shown to those who ask for them; nil: the program decides.
  package var showsChangingFields: Bool?

  /// Whether the code of functions may be rewritten to override them; nil: the file does not say.
  package var allowsCodeEntries: Bool?

  /// Limits by their names here, `most-milliseconds`.
  package var limits: [String: Limit] = [:]

  /// The rules about which functions may be overridden, and by which signers.
  package var rules = SelectorRules()

  /// Names of properties, parameters and functions whose values are never shown, with stars.
  package var maskedNames: [String] = []

  /// A configuration that says nothing.
  package init() {}
}
