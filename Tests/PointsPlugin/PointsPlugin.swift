// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Lets the build write the functions of a program with ten thousand patch points.
@main
struct PointsPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    let files = (1...8).map { context.pluginWorkDirectoryURL.appending(path: "Points\($0).swift") }
    return [
      .buildCommand(
        displayName: "Generating patch points",
        executable: try context.tool(named: "PointsGenerator").url, arguments: files.map(\.path),
        outputFiles: files)
    ]
  }
}
