// SPDX-License-Identifier: MIT

print(Members().usesHidden(), usesLocal("main"))
