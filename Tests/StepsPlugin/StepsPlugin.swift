// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Lets the build write the functions that patches of many overrides override.
@main
struct StepsPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    let file = context.pluginWorkDirectoryURL.appending(path: "Steps.swift")
    return [
      .buildCommand(
        displayName: "Generating steps", executable: try context.tool(named: "StepsGenerator").url,
        arguments: [file.path], outputFiles: [file])
    ]
  }
}
