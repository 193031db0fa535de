// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

extension ConfigurationReader {
  private var keys: [String] {
    Self.plainKeys + (limitNames ?? []).map { "limits.\($0)" }
  }

  mutating func take(_ key: String, _ value: String) throws(LineFault) {
    switch key {
    case _ where Self.roleKeys.contains(key): configuration.grants[key] = try accounts(value)
    case "socket-group":
      guard
        case .group(let number) = try account(value.hasPrefix("group:") ? value : "group:\(value)")
      else { throw LineFault("`socket-group` takes a group", "write `socket-group = NAME`") }
      configuration.socketGroup = number
    case "unsigned":
      configuration.allowsUnsigned = try word(key, value, no: "refuse", yes: "allow")
    case "audit-required":
      configuration.demandsAudit = try word(key, value, no: "no", yes: "yes")
    case "fields":
      configuration.showsChangingFields = try word(key, value, no: "refuse", yes: "allow")
    case "code-entries":
      configuration.allowsCodeEntries = try word(key, value, no: "refuse", yes: "allow")
    case "signers": configuration.signers = try path(key, value)
    case "revoked": configuration.revoked = try path(key, value)
    case "store": configuration.store = try path(key, value)
    case "audit": configuration.audit = try path(key, value)
    case _
    where key.hasPrefix("limits.") && limitNames?.contains(String(key.dropFirst(7))) ?? true:
      configuration.limits[String(key.dropFirst(7))] = try limit(key, value)
    default:
      throw LineFault(
        "there is no key `\(key)`",
        NearestNames.question(for: key, in: keys) ?? "the keys are \(keys.joined(separator: ", "))")
    }
  }

  private func word(
    _ key: String, _ value: String, no: String, yes: String
  ) throws(LineFault) -> Bool {
    if value == yes { return true }
    if value == no { return false }
    throw LineFault(
      "`\(key)` is `\(no)` or `\(yes)`, not `\(value)`",
      NearestNames.question(for: value, in: [no, yes]) ?? "write `\(key) = \(no)`")
  }

  private func path(_ key: String, _ value: String) throws(LineFault) -> String {
    guard value.hasPrefix("/") else {
      throw LineFault("`\(key)` is not an absolute path: `\(value)`", "begin it with /")
    }
    return value
  }

  /// `100`, `64k`, `32M`; with `allow` before it, it also holds where the program's own is stricter.
  private func limit(_ key: String, _ value: String) throws(LineFault) -> Configuration.Limit {
    let words = value.split(separator: " ")
    let mayRaise = words.first == "allow"
    guard words.count == (mayRaise ? 2 : 1), let text = words.last,
      let figure = Self.figure(text)
    else {
      throw LineFault(
        "`\(key)` is not a number: `\(value)`",
        "write `\(key) = 1000`, with k, M or G after it if needed; `allow 1000` raises the limit")
    }
    return Configuration.Limit(figure: figure, mayRaise: mayRaise)
  }

  static func figure(_ text: Substring) -> Int? {
    let units: [Character: Int] = ["k": 10, "M": 20, "G": 30]
    let shift = text.last.flatMap { units[$0] }
    let digits = shift == nil ? text : text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits)
    else { return nil }
    let (figure, isTooLarge) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    return isTooLarge ? nil : figure
  }
}

// MARK: - Accounts

extension ConfigurationReader {
  private func accounts(_ value: String) throws(LineFault) -> [Account] {
    var accounts: [Account] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      accounts.append(try account(String(Self.trimmed(part))))
    }
    return accounts
  }

  private func account(_ text: String) throws(LineFault) -> Account {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[0] == "user" || parts[0] == "group" else {
      throw LineFault(
        "`\(text)` names neither a user nor a group",
        "write `user:NAME` or `group:NAME`, separated by commas; numbers work too")
    }
    let name = String(parts[1])
    let isUser = parts[0] == "user"
    guard let number = isUser ? AccountNames.user(name) : AccountNames.group(name) else {
      throw LineFault(
        "there is no \(parts[0]) `\(name)` on this system", "add it, or use its number")
    }
    return isUser ? .user(number) : .group(number)
  }

  /// The socket's file has one group: if several are named, the operator says which.
  mutating func settleSocketGroup() throws(LineFault) {
    guard configuration.socketGroup == nil else { return }
    let named = configuration.grants.values.flatMap(\.self)
    let groups = Set(named.compactMap { if case .group(let number) = $0 { number } else { nil } })
    if groups.count == 1 {
      configuration.socketGroup = groups.first
    } else if groups.count > 1 {
      throw LineFault(
        "roles are given to \(groups.count) groups, but the socket can belong to one only",
        "name a group that all of them are in: `socket-group = NAME`")
    } else if named.contains(where: { $0 != .user(0) && $0 != .user(Self.ownUser) }) {
      throw LineFault(
        "roles are given to users who cannot reach the socket",
        "name a group that they are in: `socket-group = NAME`")
    }
  }
}
