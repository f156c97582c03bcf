// SPDX-License-Identifier: MIT

import SentinelService

/// What the command line asks for.
enum Command {
    case run(ServiceConfiguration)
    case check(ServiceConfiguration)
    case rebuild(ServiceConfiguration)
    case printVersion
    case printHelp

    static let usage = """
        Usage: sentineld [OPTION]...
        Sentinel's session service: publishes org.sentinel on the session bus.

          --replace          take over from a service that is running
          --address=ADDRESS  connect to this bus instead of the session bus
          --data-dir=DIR     keep the database in DIR (default: sentinel in $XDG_DATA_HOME,
                             else ~/.local/share/sentinel)
          --log-level=LEVEL  log messages up to LEVEL: \(LogLevel.allNames)
                             (default: info)
          --check            say what is wrong in the database, and exit
          --rebuild          make anew what the database derives from its events, and exit;
                             fails while a service runs
          --version          print the version and exit
          --help             print this help and exit

        Exit status: 0 asked to end, 64 wrong usage, 65 --check found something, 69 no bus or no
        database, 70 internal error, 74 damaged database, 75 already running.

        """

    /// Reads arguments; `--option VALUE` and `--option=VALUE` are both taken.
    ///
    /// - Throws: what is wrong with them.
    init(arguments: some Sequence<String>) throws(UsageError) {
        var configuration = ServiceConfiguration()
        var action = Command.run
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts.first ?? ""
            let inlineValue = parts.count > 1 ? parts.last : nil
            switch name {
            case "--address":
                configuration.address = try Self.value(of: name, inlineValue, &rest)
            case "--data-dir":
                configuration.dataDirectory = try Self.value(of: name, inlineValue, &rest)
            case "--log-level":
                configuration.logLevel = try Self.level(try Self.value(of: name, inlineValue, &rest))
            case "--replace" where inlineValue == nil:
                configuration.replaces = true
            case "--check" where inlineValue == nil:
                action = Command.check
            case "--rebuild" where inlineValue == nil:
                action = Command.rebuild
            case "--version" where inlineValue == nil:
                self = .printVersion
                return
            case "--help" where inlineValue == nil, "-h" where inlineValue == nil:
                self = .printHelp
                return
            default:
                throw UsageError(message: "unknown argument \(argument)")
            }
        }
        self = action(configuration)
    }

    private static func value(
        of name: String, _ inlineValue: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = inlineValue ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError(message: "\(name) needs a value")
        }
        return value
    }

    private static func level(_ name: String) throws(UsageError) -> LogLevel {
        guard let level = LogLevel(name: name) else {
            throw UsageError(message: "unknown log level \(name); allowed are \(LogLevel.allNames)")
        }
        return level
    }
}

/// Why arguments cannot be used.
struct UsageError: Error {
    let message: String
}

/// Does what the arguments ask for.
///
/// - Returns: the exit status.
func runCommand(_ arguments: some Sequence<String>) -> Int32 {
    do throws(UsageError) {
        switch try Command(arguments: arguments) {
        case .run(let configuration):
            return runService(configuration)
        case .check(let configuration):
            return checkStorage(configuration)
        case .rebuild(let configuration):
            return rebuildStorage(configuration)
        case .printVersion:
            print("sentineld \(sentinelVersion)")
        case .printHelp:
            print(Command.usage, terminator: "")
        }
        return 0
    } catch {
        StandardError.write("sentineld: \(error.message)\nTry 'sentineld --help' for more information.\n")
        return 64
    }
}
