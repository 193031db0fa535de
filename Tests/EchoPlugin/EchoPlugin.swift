// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Lets the build write the functions of the echo fixture: nothing that is generated is kept.
@main
struct EchoPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    let seed = ProcessInfo.processInfo.environment["WAXWING_ECHO_SEED"]
    let folder = context.pluginWorkDirectoryURL
    let files = ["Types.swift", "Functions.swift", "Cases.swift"].map {
      folder.appending(path: $0)
    }
    return [
      .buildCommand(
        displayName: "Generating echo functions",
        executable: try context.tool(named: "EchoGenerator").url,
        arguments: [folder.path] + (seed.map { [$0] } ?? []), outputFiles: files)
    ]
  }
}
