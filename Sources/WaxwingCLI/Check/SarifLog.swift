// SPDX-License-Identifier: MIT

import WaxwingControl

/// Findings in the Static Analysis Results Interchange Format, SARIF 2.1.0, which CI systems read.
struct SarifLog: Encodable {
  struct Text: Encodable { let text: String }

  struct Driver: Encodable {
    struct Rule: Encodable {
      let id: String
      let shortDescription: Text
    }

    let name = "waxwing check"
    let version = ControlProtocol.engineVersion
    let rules = Finding.Rule.allCases.map {
      Rule(id: $0.rawValue, shortDescription: Text(text: $0.meaning))
    }

    private enum CodingKeys: String, CodingKey { case name, version, rules }
  }

  struct Tool: Encodable {
    let driver = Driver()

    private enum CodingKeys: String, CodingKey { case driver }
  }

  struct Region: Encodable { let startLine, startColumn: Int }

  struct Artifact: Encodable { let uri: String }

  struct PhysicalLocation: Encodable {
    let artifactLocation: Artifact
    let region: Region
  }

  struct Location: Encodable { let physicalLocation: PhysicalLocation }

  struct Result: Encodable {
    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: Text
    let locations: [Location]
  }

  struct Run: Encodable {
    let tool = Tool()
    let columnKind = "unicodeCodePoints"
    let results: [Result]

    private enum CodingKeys: String, CodingKey { case tool, columnKind, results }
  }

  let schema = "https://json.schemastore.org/sarif-2.1.0.json"
  let version = "2.1.0"
  let runs: [Run]

  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  init(_ findings: [Finding]) { runs = [Run(results: findings.map(Result.init))] }
}

extension SarifLog.Result {
  fileprivate init(_ finding: Finding) {
    let hint = finding.remedy.isEmpty ? "" : "; \(finding.remedy)"
    let text = ([finding.message + hint] + finding.details).joined(separator: "\n")
    self.init(
      ruleId: finding.rule.rawValue,
      ruleIndex: Finding.Rule.allCases.firstIndex(of: finding.rule) ?? 0,
      level: finding.severity.rawValue, message: SarifLog.Text(text: text),
      locations: [
        SarifLog.Location(
          physicalLocation: SarifLog.PhysicalLocation(
            artifactLocation: SarifLog.Artifact(uri: Self.uri(finding.path)),
            region: SarifLog.Region(startLine: finding.line, startColumn: finding.column)))
      ])
  }

  /// A path as a relative reference, RFC 3986; an absolute one as a `file` URL.
  private static func uri(_ path: String) -> String {
    let encoded = path.utf8.map { byte -> String in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
        || (0x61...0x7a).contains(byte) || "-._~/".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
    return path.hasPrefix("/") ? "file://" + encoded : encoded
  }
}
