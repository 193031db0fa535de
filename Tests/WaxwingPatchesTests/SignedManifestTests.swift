// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingPatches
import WaxwingSystem

/// What a manifest says for a signature to vouch for.
@Suite struct SignedManifestTests {
  private func manifest(_ text: String, isSigned: Bool = false) throws(PatchError) -> PatchManifest
  {
    let source = try PatchSource(files: [PatchFile(name: "x.lua", bytes: Array(text.utf8))])
    return try PatchManifest(of: source, isSigned: isSigned)
  }

  private func refusal(_ text: String, isSigned: Bool = false) -> String? {
    do throws(PatchError) {
      _ = try manifest(text, isSigned: isSigned)
      return nil
    } catch {
      return error.located
    }
  }

  @Test func `serial, expiry, builds, capabilities and overrides are read`() throws {
    let manifest = try manifest(
      """
      patch {
        name = "p", program = "bankd", serial = 2026112201, expires = "2027-01-31T00:00:00Z",
        build = { "3F2A9c00", "00112233" }, capabilities = { "coroutine" },
        overrides = { "bankd.Account.withdraw(_:memo:)" },
      }
      """, isSigned: true)
    #expect(manifest.serial == 2_026_112_201 && manifest.expires == 1_801_353_600)
    #expect(manifest.builds == ["3f2a9c00", "00112233"])
    #expect(manifest.capabilities == ["coroutine"])
    #expect(manifest.overrides == ["bankd.Account.withdraw(_:memo:)"])
    #expect(try self.manifest("patch { build = '00112233' }").builds == ["00112233"])
    #expect(try self.manifest("patch { overrides = {} }").overrides == [])
    #expect(try self.manifest("patch { name = 'p' }").overrides == nil)
  }

  @Test func `a signed patch says its name, its program and its serial`() {
    let all = "name, program, serial"
    for (text, missing) in [
      ("return 1", all), ("patch {}", all), ("patch { name = 'p' }", "program, serial"),
      ("patch { program = 'b', serial = 1 }", "name"),
    ] {
      #expect(refusal(text) == nil)
      #expect(
        refusal(text, isSigned: true)
          == "x.lua: the manifest of a signed patch needs \(missing)")
    }
    #expect(refusal("patch { name = 'p', program = 'b', serial = 1 }", isSigned: true) == nil)
  }

  @Test(arguments: [
    ("serial = 0", "'serial' must be 1 or more"),
    ("serial = '1'", "'serial' must be a whole number, not a string"),
    ("serial = 0x1p63", "'serial' must be a whole number, not a float"),
    ("serial = 18446744073709551616", "'serial' must be a whole number, not a float"),
    ("expires = 1", "'expires' must be a string, not an integer"),
    ("expires = '2027'", "'expires' must be a date and time, not '2027'"),
    ("build = {}", "'build' is an empty list"), ("build = { 'xx' }", "'build' must be a build id"),
    ("build = { a = '00112233' }", "'build' must be a list of strings"),
    ("overrides = 'a'", "'overrides' must be a list of strings"),
    (
      "overrides = { '\(String(repeating: "a.", count: 2049))' }",
      "'overrides' has an entry of 4098 bytes"
    ),
    ("overrides = { 1 }", "'overrides' must be a string, not an integer"),
    ("capabilities = { '' }", "'capabilities' must be one line of text and not empty"),
  ])
  func `what is malformed is refused by its key`(field: String, message: String) {
    let refusal = refusal("patch { \(field) }") ?? ""
    #expect(refusal.hasPrefix("x.lua:1: \(message)"), "\(refusal)")
  }

  @Test func `moments are those of RFC 3339, to the second`() {
    let formatter = ISO8601DateFormatter()
    for text in [
      "1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2027-01-31T00:00:00Z",
      "2100-03-01T00:00:00Z",
      "2026-11-22T02:30:00+05:30", "2026-11-22T02:30:00-08:00", "9999-12-31T23:59:59Z",
    ] {
      let seconds = formatter.date(from: text).map { Int($0.timeIntervalSince1970) }
      #expect(UTCDate.seconds(text) == seconds, "\(text)")
      if text.hasSuffix("Z") { #expect(seconds.map(UTCDate.text) == text) }
    }
    #expect(UTCDate.seconds("2027-01-31t00:00:00.123456z") == 1_801_353_600)
    for text in [
      "", "2027-01-31", "2027-02-29T00:00:00Z", "2027-13-01T00:00:00Z", "2027-00-01T00:00:00Z",
      "2027-01-00T00:00:00Z", "2027-01-31T24:00:00Z", "2027-01-31T00:60:00Z",
      "2027-01-31 00:00:00Z",
      "2027-01-31T00:00:00", "2027-01-31T00:00:00+1:00", "2027-01-31T00:00:00.Z",
      "1969-12-31T23:59:59Z",
      "1970-01-01T00:00:00+01:00", "2027-01-31T00:00:00ZZ", "+027-01-31T00:00:00Z",
      "2100-02-29T00:00:00Z", "２027-01-31T00:00:00Z",
    ] { #expect(UTCDate.seconds(text) == nil, "\(text)") }
  }
}
