// SPDX-License-Identifier: MIT

import Foundation

/// Keys and signatures of the stock tools, and the trials that are made of them.
struct Material {
  private static let patch = "patch { name = 'p', program = 'bankd', serial = 1 }\n-- and so on\n"

  private let signatures: [[UInt8]]
  private let minisignatures: [[UInt8]]
  private let minisignKeys: [[UInt8]]
  private let alice: String
  private let bob: String
  private let rsa: String

  init(_ tools: StockTools) throws {
    alice = try tools.makeKey("alice")
    bob = try tools.makeKey("bob")
    rsa = try tools.makeKey("rsa", type: "rsa")
    try tools.write(Self.patch, to: "p")
    var signatures: [[UInt8]] = []
    for (key, namespace, options) in [
      ("alice", "waxwing-patch", ""), ("alice", "waxwing-patch", "-O hashalg=sha256"),
      ("bob", "waxwing-patch", ""), ("alice", "file", ""),
    ] {
      try tools.sign("p", key: key, namespace: namespace, options: options)
      signatures.append(try tools.bytes("p.sig"))
    }
    self.signatures = signatures
    var minisignatures: [[UInt8]] = []
    var minisignKeys: [[UInt8]] = []
    for name in ["carol", "dave"] {
      minisignKeys.append(Array(try tools.makeMinisignKey(name).utf8))
      try tools.minisign("p", key: name)
      minisignatures.append(try tools.bytes("p.minisig"))
    }
    self.minisignatures = minisignatures
    self.minisignKeys = minisignKeys
  }

  func trial(_ random: inout some RandomNumberGenerator) -> Trial {
    Int.random(in: 0..<3, using: &random) == 0 ? minisign(&random) : ssh(&random)
  }

  private func ssh(_ random: inout some RandomNumberGenerator) -> Trial {
    let usual = Int.random(in: 0..<4, using: &random) > 0
    var trial = Trial(
      tool: .ssh, patch: Array(Self.patch.utf8),
      signature: usual ? signatures[0] : signatures.randomElement(using: &random) ?? [],
      signers: Array(list(&random).utf8))
    if Int.random(in: 0..<4, using: &random) == 0 {
      trial.revoked = Array(revoked(&random).utf8)
      if Bool.random(using: &random) {
        trial.revoked = Mutation.list.apply(to: trial.revoked, &random)
      }
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: trial.patch = Mutation.binary.apply(to: trial.patch, &random)
      case 1, 2: trial.signature = Mutation.text.apply(to: trial.signature, &random)
      case 3, 4: trial.signature = Armour.ssh(trial.signature, &random)
      case 5: trial.signers = Mutation.text.apply(to: trial.signers, &random)
      case 6: trial.time += Int.random(in: -100_000_000...100_000_000, using: &random)
      default: trial.signers = Mutation.list.apply(to: trial.signers, &random)
      }
    }
    return trial
  }

  private func minisign(_ random: inout some RandomNumberGenerator) -> Trial {
    let index = Int.random(in: 0..<2, using: &random)
    var trial = Trial(
      tool: .minisign, patch: Array(Self.patch.utf8), signature: minisignatures[index],
      signers: minisignKeys[Int.random(in: 0..<5, using: &random) == 0 ? 1 - index : index])
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: trial.patch = Mutation.binary.apply(to: trial.patch, &random)
      case 1, 2: trial.signature = Armour.minisign(trial.signature, &random)
      case 3:
        // In the list's own form a space or a line break would end the key.
        let key = Mutation(bytes: Array("ABab01+/=".utf8)).apply(to: trial.signers, &random)
        trial.signers = key
      default: trial.signature = Mutation.text.apply(to: trial.signature, &random)
      }
    }
    return trial
  }

  /// A key list with all that can stand in one.
  private func list(_ random: inout some RandomNumberGenerator) -> String {
    let names = [
      "alice@ops", "alice@ops,bob@ops", "*@ops", "*", "a*@o?s", "!bob@ops,*", "\"alice@ops\"",
      "*,!alice@ops", "bob@ops", "alice", "*,!alice*", "al*ce@*", "alice@ops,",
    ]
    let options = [
      "", "", "", "namespaces=\"waxwing-patch\" ", "namespaces=\"file,waxwing-*\" ",
      "namespaces=\"git\" ", "valid-after=\"20260101\" ", "valid-before=\"20270101Z\" ",
      "valid-after=\"20200101\",valid-before=\"202701010000\" ", "valid-before=\"20200101\" ",
      "VALID-BEFORE=\"20280101000000z\" ", "cert-authority ", "namespaces=\"waxwing-patch\",,",
      "valid-after=\"20260230\" ", "namespaces=\"!file,*\" ", "valid-before=\"2026 101\" ",
    ]
    let keys = [alice, alice, alice, bob, rsa]
    let lines = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let parts = [names, options, keys].map { $0.randomElement(using: &random) ?? "" }
      return "\(parts[0]) \(parts[1])\(parts[2])" + (Bool.random(using: &random) ? " comment" : "")
    }
    let rest = ["# a comment", "", "  ", "\t# indented"].randomElement(using: &random) ?? ""
    let end = ["\n", "\n", "\r\n", ""].randomElement(using: &random) ?? ""
    return (lines + [rest]).shuffled(using: &random).joined(separator: "\n") + end
  }

  private func revoked(_ random: inout some RandomNumberGenerator) -> String {
    let lines = [bob, alice, rsa, "# nobody", "", " \(bob)", "\(alice) with a comment"]
    return lines.shuffled(using: &random).prefix(2).joined(separator: "\n") + "\n"
  }
}
