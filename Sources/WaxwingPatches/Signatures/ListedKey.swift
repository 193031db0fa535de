// SPDX-License-Identifier: MIT

/// A key in a key list.
enum ListedKey: Hashable, Sendable {
  case ssh(SSHPublicKey)
  case minisign(MinisignKey)

  /// The word before a minisign key, where SSH's keys have their type.
  static let minisignType = "minisign"

  /// Nil if the text is not a key of the type.
  init?(type: String, text: ArraySlice<UInt8>) {
    if type == Self.minisignType {
      let text = String(decoding: text.prefix { !KeyListLine.space.contains($0) }, as: UTF8.self)
      guard let key = MinisignKey(text) else { return nil }
      self = .minisign(key)
    } else {
      guard SSHPublicKey.types.contains(type), let blob = Base64.decoded(text, .openSSH),
        let key = SSHPublicKey(blob: blob), key.type == type
      else { return nil }
      self = .ssh(key)
    }
  }

  /// How the key is named to people: as `ssh-keygen -l` or minisign does.
  var name: String {
    switch self {
    case .ssh(let key): key.fingerprint
    case .minisign(let key): key.text
    }
  }
}
