// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import Testing

/// All that calls or overrides functions of the fixture, one test at a time: they share the
/// fixture's patch points.
@Suite(.serialized, .enabled(if: wax_runtime_cpu_supported()))
struct FixtureTests {}
