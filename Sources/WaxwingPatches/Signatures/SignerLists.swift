// SPDX-License-Identifier: MIT

/// Both key lists, as they were at one moment.
package struct SignerLists: Sendable {
  private let allowed: AllowedSigners
  private let revoked: RevokedSigners
  // For messages.
  private let allowedName: String
  private let revokedName: String

  /// Reads the lists from files that no other user can have written.
  package init(signers: String, revoked: String) throws(PatchError) {
    let allowed = try Self.file(signers, isNeeded: true)
    try self.init(
      allowed: allowed, revoked: try Self.file(revoked, isNeeded: false), names: (signers, revoked))
  }

  /// Takes the lists' text.
  package init(
    allowed: [UInt8], revoked: [UInt8],
    names: (allowed: String, revoked: String) = ("allowed_signers", "revoked_signers")
  ) throws(PatchError) {
    self.allowed = AllowedSigners(allowed)
    do throws(SignatureFault) { self.revoked = try RevokedSigners(revoked) } catch {
      throw PatchError(error, in: names.revoked)
    }
    (allowedName, revokedName) = names
  }

  /// The malformed lines of the list, which allow nobody, with file and number.
  package var mistakes: [String] { allowed.mistakes.map { "\(allowedName):\($0)" } }

  /// Verifies the signature of a patch.
  /// - Parameters:
  ///   - time: Now, in seconds since 1970.
  ///   - name: Who must have signed; nil for anybody whom the list knows.
  /// - Throws: ``PatchError`` with the reason.
  package func verify(
    _ bundle: PatchBundle, at time: Int, name: String? = nil
  ) throws(PatchError) -> Signer {
    guard let file = bundle.signature else {
      throw PatchError(
        .signature, file: bundle.title, message: "the patch is not signed",
        remedy: "sign it with `waxwing sign`")
    }
    try PatchLayout.check(bundle.files)
    guard file.bytes.count <= PatchVerifier.signatureLimit else {
      throw PatchError(
        .signature, file: file.name,
        message: "the signature has more than \(PatchSizes.text(PatchVerifier.signatureLimit))",
        remedy: "sign the patch again, with `waxwing sign`")
    }
    let message = try SignedMessage.bytes(of: bundle.files)
    let key: ListedKey
    let format: Signer.Format
    if file.name.hasSuffix(".minisig") {
      (key, format) = (try minisignKey(file, message), .minisign)
    } else {
      (key, format) = (try Self.sshKey(file, message), .ssh)
    }
    try checkNotRevoked(key, file)
    let identity = try identity(of: key, at: time, name)
    return Signer(identity: identity, key: key.name, format: format)
  }

  /// Verifies a signature that `ssh-keygen -Y sign` has made of bytes that are no patch.
  /// - Parameters:
  ///   - namespace: The namespace that the signature has to be for.
  ///   - time: The current time, in seconds since 1970.
  /// - Throws: ``PatchError`` with the reason.
  package func verify(
    _ message: [UInt8], signature: PatchFile, namespace: String, at time: Int
  ) throws(PatchError) -> Signer {
    guard signature.bytes.count <= PatchVerifier.signatureLimit else {
      throw PatchError(
        .signature, file: signature.name,
        message: "the signature has more than \(PatchSizes.text(PatchVerifier.signatureLimit))",
        remedy: "sign the document again")
    }
    let key = try Self.sshKey(signature, message, namespace: namespace)
    try checkNotRevoked(key, signature)
    let identity = try identity(of: key, at: time, nil, namespace: namespace)
    return Signer(identity: identity, key: key.name, format: .ssh)
  }

  static func sshKey(
    _ file: PatchFile, _ message: [UInt8], namespace: String = PatchVerifier.namespace
  ) throws(PatchError) -> ListedKey {
    do throws(SignatureFault) {
      let signature = try SSHSignature(armoured: file.bytes)
      guard signature.namespace == namespace else {
        let isPatch = namespace == PatchVerifier.namespace
        throw SignatureFault(
          "it is for the namespace '\(signature.namespace)', and "
            + "\(isPatch ? "patches" : "a fleet's documents") are signed for '\(namespace)'",
          remedy: isPatch
            ? "sign the patch with `waxwing sign`, or `ssh-keygen -Y sign -n \(namespace)`"
            : "sign it with `waxwing-fleet`")
      }
      guard signature.isRight(for: message, namespace: namespace) else {
        throw wrong(signature.key.fingerprint)
      }
      return .ssh(signature.key)
    } catch {
      throw PatchError(error, in: file.name)
    }
  }

  private func minisignKey(_ file: PatchFile, _ message: [UInt8]) throws(PatchError) -> ListedKey {
    do throws(SignatureFault) {
      let signature = try MinisignSignature(text: file.bytes)
      // The list is what turns a key's number into the key.
      let number = MinisignKey.number(signature.keyID)
      let keys = allowed.minisignKeys.filter { $0.id == signature.keyID }
      guard !keys.isEmpty else {
        throw SignatureFault(
          "it is made with the minisign key \(number), which is not in \(allowedName)",
          remedy: "have it signed with an authorised key, or add the key to the list")
      }
      guard let key = keys.first(where: { signature.isRight(for: message, by: $0) }) else {
        throw Self.wrong("minisign's " + number)
      }
      guard signature.isForPatches else {
        throw SignatureFault(
          "its trusted comment does not say that it is for a patch",
          remedy: "sign with `minisign -S -t '\(MinisignSignature.purpose)' -m FILE`")
      }
      return .minisign(key)
    } catch {
      throw PatchError(error, in: file.name)
    }
  }

  private func checkNotRevoked(_ key: ListedKey, _ file: PatchFile) throws(PatchError) {
    guard revoked.keys.contains(key) else { return }
    throw PatchError(
      .signature, file: file.name,
      message: "it is made with the key \(key.name), which is revoked in \(revokedName)",
      remedy: "have it signed with a key that is not revoked")
  }

  private func identity(
    of key: ListedKey, at time: Int, _ name: String?, namespace: String = PatchVerifier.namespace
  ) throws(PatchError) -> String {
    do throws(SignatureFault) {
      return try allowed.identity(of: key, namespace: namespace, at: time, name: name)
    } catch {
      throw PatchError(
        .signature, file: allowedName, message: "\(error.message): \(key.name)",
        remedy: error.remedy)
    }
  }

  private static func wrong(_ key: String) -> SignatureFault {
    SignatureFault(
      "the key \(key) has not signed these bytes: the patch or the signature was changed",
      remedy: "get both again from their source, or sign the patch again")
  }

  private static func file(_ path: String, isNeeded: Bool) throws(PatchError) -> [UInt8] {
    do throws(TrustedFile.Problem) {
      return try TrustedFile.read(path, limit: AllowedSigners.limit)
    } catch .missing where !isNeeded {
      return []
    } catch {
      throw PatchError(error, path)
    }
  }
}

extension AllowedSigners {
  var minisignKeys: [MinisignKey] {
    lines.compactMap { line in
      if case .minisign(let key) = line.key { return key }
      return nil
    }
  }
}

extension PatchError {
  init(_ fault: SignatureFault, in file: String) {
    self.init(.signature, file: file, message: fault.message, remedy: fault.remedy)
  }

  init(_ problem: TrustedFile.Problem, _ path: String) {
    let (message, remedy) =
      switch problem {
      case .missing:
        (
          "there is no list of authorised keys",
          "create it, with one line for each person: NAME, and the key from their id_ed25519.pub"
        )
      case .unsafe(let reason):
        (reason + ", so nobody is trusted", "give it and its folders to root, mode 0644 and 0755")
      case .unreadable(let reason): ("it cannot be read: \(reason)", "correct that")
      }
    self.init(.signature, file: path, message: message, remedy: remedy)
  }
}
