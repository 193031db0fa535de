// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingPatches
import WaxwingToolKit

/// A patch that is checked, with its problems as far as no program is needed to see them.
struct PatchText {
  /// One Lua file of a patch.
  struct File {
    let name: String
    let outline: PatchOutline
  }

  /// The patch's path as the command line gives it.
  let path: String
  /// The patch; nil if the text is no patch.
  private(set) var source: PatchSource?
  /// Whether the patch came through standard input, so that it has no other files.
  private let isStream: Bool
  private(set) var manifest: PatchManifest?
  private(set) var signature: PatchFile?
  /// The patch's Lua files.
  private(set) var files: [File] = []
  private(set) var findings: [Finding] = []

  init(path: String) {
    isStream = path == StandardInput.word
    self.path = isStream ? StandardInput.name : path
    do throws(PatchError) {
      source = try isStream ? StandardInput.patch() : PatchSource(path: path)
    } catch {
      add(error, .manifest)
      return
    }
    for file in source?.files ?? [] { read(file) }
    readManifest()
    readSignature()
  }

  /// All paths that findings may be about.
  var paths: [String] {
    [path] + (source?.files.map { path(of: $0.name) } ?? findings.map(\.path))
  }

  /// The path of a file of the patch: files of a folder are named after the folder's own name.
  func path(of name: String) -> String {
    guard !name.hasPrefix("/") else { return name }
    guard let slash = name.firstIndex(of: "/") else { return path }
    var folder = path
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return folder + String(name[slash...])
  }

  /// The patch as it is sent to the daemon; nil if the daemon would not take it.
  var payload: ApplyRequest.Patch? {
    guard let source, manifest != nil else { return nil }
    return ApplyRequest.Patch(
      files: source.files.map { PatchFilePayload(name: $0.name, bytes: $0.bytes) },
      signature: signature.map { PatchFilePayload(name: $0.name, bytes: $0.bytes) })
  }

  private mutating func read(_ file: PatchFile) {
    do throws(LuaSyntaxError) {
      files.append(File(name: file.name, outline: PatchOutline(try LuaChunk(file))))
    } catch {
      findings.append(
        Finding(
          severity: .error, rule: .syntax, path: path(of: file.name), line: error.place.line,
          column: error.place.column, message: error.message))
    }
  }

  /// Capabilities that no host can grant, because they do not exist.
  private static let capabilities = ["unlimited", "weak-tables"]

  private mutating func readManifest() {
    guard let source else { return }
    do throws(PatchError) {
      let manifest = try PatchManifest(of: source, isSigned: false)
      self.manifest = manifest
      try ArrivalRules.checkExpiry(
        of: manifest, in: source.main.name, at: TrustedTime(now: time(nil), lastSeen: nil))
      if let name = manifest.capabilities.first(where: { !Self.capabilities.contains($0) }) {
        throw PatchError(
          .manifest, file: source.main.name, message: "there is no capability `\(name)`",
          remedy: "there are \(Self.capabilities.joined(separator: " and "))")
      }
    } catch {
      add(error, .manifest)
    }
  }

  private mutating func readSignature() {
    guard let source, !isStream else { return }
    do throws(PatchError) {
      signature = try SignatureFile.beside(patchAt: path)
      guard signature != nil else { return }
      try SignatureFile.checkList(ofPatchAt: path, files: source.files)
      _ = try PatchManifest(of: source, isSigned: true)
    } catch  where manifest != nil {
      add(error, .signature)
    } catch {
      // The manifest is wrong, which is said already.
    }
  }

  private mutating func add(_ error: PatchError, _ rule: Finding.Rule) {
    findings.append(
      Finding(
        severity: .error, rule: rule, path: path(of: error.file), line: error.line ?? 1, column: 1,
        message: error.message, remedy: error.remedy))
  }
}
