// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingControl
import WaxwingPatches
import WaxwingToolKit

/// The files of a patch that is about to be written.
struct NewPatch {
  /// The last part of the folder's path.
  let name: String
  /// The definitions of a program with its name; nil: no program is named.
  let program: Program?

  struct Program {
    let name: String
    let definitions: String
    /// The lines of an override.
    let example: [String]
    /// The Lua expression for a type or module, for the test.
    let owner: String
  }

  /// Where definitions are: hidden, so that they are no part of the patch.
  static let definitionsFolder = ".waxwing"

  /// The files of the new patch, by their paths in the folder.
  var files: [(path: String, text: String)] {
    [
      ("main.lua", main), ("spec/\(name)_spec.lua", tests), (".luarc.json", Self.editorSettings),
      (".luacheckrc", CheckSettings.text),
      ("\(Self.definitionsFolder)/stubs.lua", program?.definitions ?? DefinitionFile.globalsOnly),
    ]
  }

  /// - Throws: The name is none that a patch may have.
  func check() throws(CommandError) {
    do throws(PatchError) {
      let file = PatchFile(name: "\(name)/main.lua", bytes: Array(main.utf8))
      _ = try PatchManifest(of: try PatchSource(files: [file]), isSigned: false)
    } catch {
      throw CommandError(
        .usage, error.message, remedy: "name the folder as the patch is to be called")
    }
  }

  private var main: String {
    let program = program.map { ", program = \(LuaName.quoted($0.name))" } ?? ""
    return """
      -- What the patch changes, and why.
      patch { name = \(LuaName.quoted(name)), version = 1\(program) }

      -- An override is a function that is assigned to a name of a type; ORIG is what it overrides:
      --
      \(example.map { $0.isEmpty ? "--" : "--   \($0)" }.joined(separator: "\n"))

      on("started", function() log.info(\(LuaName.quoted(name + " is live"))) end)

      """
  }

  private var tests: String {
    let sound = program.map { program in
      """

        unchanged("the type is what it was", function()
          return typeof(\(program.owner)).members
        end)
      """
    }
    let words = program == nil ? ["describe", "pending"] : ["describe", "pending", "unchanged"]
    return """
      -- The tests of the patch: `waxwing test` runs them, with the patch and without.
      local test <const> = require "waxwing.test"
      local \(words.map { "\($0) <const>" }.joined(separator: ", ")) =
        \(words.map { "test.\($0)" }.joined(separator: ", "))

      describe(\(LuaName.quoted(name)), function()
        pending("does what it is for") -- it("…", function() assert.equal(1, …) end)\(sound ?? "")
      end)

      """
  }

  private var example: [String] {
    program?.example ?? [
      #"local Account = class "bankd.Account""#, "", "function Account:withdraw(amount, memo)",
      "  return self:ORIGwithdraw(amount, memo)", "end",
    ]
  }

  /// The settings of lua-language-server for the folder.
  private static let editorSettings = """
    {
      "runtime.version": "Lua 5.4",
      "runtime.path": ["?.lua"],
      "runtime.builtin": { "debug": "disable", "io": "disable", "os": "disable", "package": "disable" },
      "workspace.library": ["\(definitionsFolder)"],
      "workspace.preloadFileSize": 10000,
      "diagnostics.disable": ["duplicate-set-field"]
    }

    """
}
