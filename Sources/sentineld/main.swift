// SPDX-License-Identifier: MIT

import Glibc
import SentinelService

exit(runCommand(CommandLine.arguments.dropFirst()))
