// SPDX-License-Identifier: MIT

import Foundation
import SignatureOracle
import Testing
import WaxwingReflection

@testable import WaxwingPatches

/// Files of facts, and which of them are believed.
@Suite struct FactsFileTests {
  let tools: StockTools

  init() throws { tools = try StockTools() }

  private static let facts = FunctionFacts(
    program: "app", build: "0a1b",
    selfKinds: ["$s3app1aV1byyF": .consuming, "$s3app1aV1cSivg": .mutating],
    defaults: ["$s3app1aV1d1eySi_SbtF": [0: "80 * 1024", 1: ".init()"]])

  private func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = tools.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try tools.run("chmod 644 \(name)")
    return path
  }

  private func reason(_ text: String) throws -> String {
    do throws(FunctionFacts.Fault) {
      _ = try FunctionFacts(Array(text.utf8))
      return "accepted"
    } catch {
      return error.reason
    }
  }

  @Test func `what is written is read again`() throws {
    #expect(try FunctionFacts(Self.facts.encoded()) == Self.facts)
    let path = try write(Self.facts.encoded(), to: "app.waxwing-facts")
    let found = FactsFile.read(of: String(path.dropLast(14)), build: "0a1b") { file, reason in
      Issue.record("\(file): \(reason)")
    }
    #expect(found == Self.facts)
  }

  @Test func `a file without default values is one without any, and their keys are indices`() throws
  {
    let head = #""build": "0a1b", "format": 1, "functions": {}, "program": "app""#
    let facts = try FunctionFacts(Array("{\(head)}".utf8))
    #expect(facts.defaults.isEmpty)
    #expect(
      try reason(#"{\#(head), "defaults": {"$s1f": {"-1": "x"}}}"#)
        == "'-1' is not the index of a parameter")
  }

  @Test func `a file for another build, one that others can write and a damaged one are ignored`()
    throws
  {
    let image = tools.path("app")
    var reasons: [String] = []
    func read(_ build: String) -> FunctionFacts? {
      FactsFile.read(of: image, build: build) { reasons.append($1) }
    }
    #expect(read("0a1b") == nil && reasons.isEmpty)
    _ = try write(Self.facts.encoded(), to: "app.waxwing-facts")
    #expect(read("ffff") == nil)
    try tools.run("chmod 666 app.waxwing-facts")
    #expect(read("0a1b") == nil)
    _ = try write(Array("{".utf8), to: "app.waxwing-facts")
    #expect(read("0a1b") == nil)
    #expect(
      reasons == [
        "it is for build 0a1b of app, and this is ffff", "it can be written by other users",
        "it is not a JSON document of facts",
      ])
  }

  @Test func `a document is taken whole or not at all`() throws {
    #expect(try reason("[]") == "it is not a JSON document of facts")
    #expect(
      try reason(#"{"format": 2}"#) == "it has format 2, and this engine reads 1")
    #expect(
      try reason(#"{"format": 1, "program": "app"}"#)
        == "it is malformed: a document of facts has program, build and functions")
    #expect(
      try reason(
        #"{"format": 1, "program": "a", "build": "0", "functions": {"$s1a": "consumed"}}"#)
        == "'consumed' is not one of nonmutating, mutating, consuming")
    #expect(
      try reason(String(repeating: "[", count: 100_000)) == "it is not a JSON document of facts")
    #expect(
      try reason(String(repeating: " ", count: FunctionFacts.sizeLimit + 1))
        == "it has more than 32 MiB")
  }
}
