// SPDX-License-Identifier: MIT

internal import Glibc
internal import SentinelService

exit(runCommand(CommandLine.arguments.dropFirst()))
