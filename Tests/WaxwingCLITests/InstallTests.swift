// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import WaxwingTestSupport

/// `scripts/install` and `scripts/package-deb`, with the tool that was built for the tests.
@Suite struct InstallTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let scripts =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../scripts").standardizedFileURL.path

  private static let pages = ["waxwing.1", "waxwing-apply.1", "waxwing-completion.1"]

  @Test func `what is installed works, and uninstalling removes it and nothing else`() throws {
    let prefix = folder.path + "/usr/local"
    let first = try install("--prefix", prefix, "--binary", Tool.path)
    #expect(first.isSuccess, "\(first)")
    let files = try files(in: prefix)
    let manifest = try String(contentsOfFile: prefix + "/share/waxwing/manifest", encoding: .utf8)
    #expect(files == lines(manifest).filter { !$0.hasSuffix("/") }.sorted())
    #expect(
      first.standardOutput.hasPrefix("Installed waxwing in \(prefix): \(files.count) files\n"))
    for file in [
      "bin/waxwing", "lib/waxwing/libWaxwingPreload.so",
      "share/bash-completion/completions/waxwing",
      "share/zsh/site-functions/_waxwing", "share/fish/vendor_completions.d/waxwing.fish",
      "share/doc/waxwing/LICENSE", "share/doc/waxwing/examples/bankd.service",
    ] + Self.pages.map({ "share/man/man1/\($0)" }) { #expect(files.contains(file), "\(file)") }
    let version = try Command(prefix + "/bin/waxwing", ["version"]).run()
    #expect(version.standardOutput.hasPrefix("waxwing 0.1.0 "))

    // A second time, over the first.
    #expect(try install("--prefix", prefix, "--binary", Tool.path).isSuccess)
    #expect(try self.files(in: prefix) == files)

    try folder.write("mine".utf8, to: "usr/local/share/man/man1/mine.1")
    let end = try install("--uninstall", "--prefix", prefix)
    #expect(end.standardOutput == "Removed waxwing from \(prefix)\n")
    #expect(try self.files(in: prefix) == ["share/man/man1/mine.1"])
    #expect(!FileManager.default.fileExists(atPath: prefix + "/share/waxwing"))
    #expect(!FileManager.default.fileExists(atPath: prefix + "/bin"))

    let again = try install("--uninstall", "--prefix", prefix)
    #expect(again.status == .exited(1))
    #expect(again.standardError.contains("nothing is installed in \(prefix)"))
  }

  @Test func `a list that leads out of the prefix removes nothing`() throws {
    let mine = try folder.write("mine".utf8, to: "mine")
    try folder.write("bin/waxwing\n../mine\n".utf8, to: "prefix/share/waxwing/manifest")
    let result = try install("--uninstall", "--prefix", folder.path + "/prefix")
    #expect(result.status == .exited(1))
    #expect(result.standardError.contains("manifest is damaged: '../mine'"))
    #expect(FileManager.default.fileExists(atPath: mine))
  }

  @Test func `what cannot be installed is named`() throws {
    let none = try install("--prefix", folder.path + "/p", "--binary", folder.path + "/none")
    #expect(none.standardError == "install: there is no tool at \(folder.path)/none\n")
    let odd = try install("--prefix", folder.path + "/p", "--binary", "/bin/false")
    #expect(odd.standardError == "install: /bin/false does not run\n")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/p"))
    #expect(try install("--perfix").standardError.hasPrefix("install: unknown argument '--perfix'"))
  }

  @Test(.enabled(if: Terminal.isInstalled("dpkg-deb")))
  func `the Debian package can be installed and removed`() throws {
    let made = try run("package-deb", ["--binary", Tool.path, "--output", folder.path])
    #expect(made.isSuccess, "\(made)")
    let package = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).first {
        $0.hasSuffix(".deb")
      })
    let path = "\(folder.path)/\(package)"
    #expect(made.standardOutput == "Made \(path)\n")
    let contents = try dpkg("dpkg-deb", "--contents", path)
    for file in [
      "./usr/bin/waxwing", "./usr/lib/waxwing/libWaxwingPreload.so",
      "./usr/share/bash-completion/completions/waxwing",
      "./usr/share/zsh/vendor-completions/_waxwing",
      "./usr/share/fish/vendor_completions.d/waxwing.fish", "./usr/share/doc/waxwing/copyright",
    ] + Self.pages.map({ "./usr/share/man/man1/\($0).gz" }) {
      #expect(contents.contains(" \(file)"), "\(file)")
    }
    #expect(lines(contents).allSatisfy { $0.contains(" root/root ") })
    let control = try dpkg("dpkg-deb", "--field", path, "Depends")
    for library in ["liblua5.4-0", "libsodium23", "libzydis4"] {
      #expect(control.contains(library), "\(library): \(control)")
    }

    let root = folder.path + "/root"
    for name in ["info", "updates"] {
      try FileManager.default.createDirectory(
        atPath: "\(root)/var/lib/dpkg/\(name)", withIntermediateDirectories: true)
    }
    try folder.write([], to: "root/var/lib/dpkg/status")
    let options = ["--root=\(root)", "--force-depends", "--force-not-root", "--log=/dev/null"]
    _ = try dpkg(["dpkg"] + options + ["--unpack", path])
    let version = try Command(root + "/usr/bin/waxwing", ["version"]).run()
    #expect(version.standardOutput.hasPrefix("waxwing 0.1.0 "), "\(version)")
    _ = try dpkg(["dpkg"] + options + ["--remove", "waxwing"])
    #expect(!FileManager.default.fileExists(atPath: root + "/usr/bin"))
  }

  @Test func `the units are those of the runbook`() throws {
    let page = try String(
      contentsOfFile: Self.scripts + "/../docs/operations.md", encoding: .utf8)
    let blocks = page.components(separatedBy: "```ini\n").dropFirst().map { block in
      lines(String(block.prefix(upTo: block.range(of: "```")?.lowerBound ?? block.endIndex)))
    }
    func unit(_ name: String) throws -> [String] {
      lines(
        try String(
          contentsOfFile: "\(Self.scripts)/../examples/systemd/\(name)", encoding: .utf8)
      ).filter { !$0.hasPrefix("#") }
    }
    #expect(blocks.first == (try unit("bankd.service")))
    // Only what differs stands in the page.
    let template = try unit("bankd@.service")
    let different = blocks.dropFirst().first { $0.contains("Description=Bank daemon, instance %i") }
    for line in try #require(different) where !line.hasPrefix("ExecStart=") {
      #expect(template.contains(line), "\(line)")
    }
  }

  private func install(_ arguments: String...) throws -> CommandResult {
    try run("install", arguments)
  }

  private func run(_ script: String, _ arguments: [String]) throws -> CommandResult {
    // A package of debug builds takes twenty seconds to compress well.
    try Command(
      "\(Self.scripts)/\(script)", arguments, environment: ["DPKG_DEB_COMPRESSOR_LEVEL": "1"],
      directory: folder.path
    ).run(timeout: .seconds(600))
  }

  private func dpkg(_ words: String...) throws -> String { try dpkg(words) }

  private func dpkg(_ words: [String]) throws -> String {
    // dpkg looks for programs of administrators in PATH.
    let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    let result = try Command(
      "/usr/bin/\(words[0])", Array(words.dropFirst()), environment: ["PATH": path]
    ).run(timeout: .seconds(300))
    #expect(result.isSuccess, "\(result)")
    return result.standardOutput
  }

  private func files(in folder: String) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return names.filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}
