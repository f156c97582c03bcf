// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

/// Says, a line each, what is wrong in the database.
///
/// - Returns: the exit status: 0 where all is right, 65 where something is not, else that of the error.
public func checkStorage(_ configuration: ServiceConfiguration) -> Int32 {
    report(configuration, StoreAudit.check) { count in
        let noun = count == 1 ? "finding" : "findings"
        StandardError.write("sentineld: \(count) \(noun); stop the service and run sentineld --rebuild\n")
        return 65
    }
}

/// Makes anew what the database derives from its events, and says what was wrong.
///
/// - Returns: the exit status: 0 once all is right, else that of the error.
public func rebuildStorage(_ configuration: ServiceConfiguration) -> Int32 {
    report(configuration, StoreAudit.rebuild) { _ in 0 }
}

private func report(
    _ configuration: ServiceConfiguration, _ findings: (String) throws(SentinelError) -> [String],
    _ status: (Int) -> Int32
) -> Int32 {
    do throws(SentinelError) {
        let directory: String
        if let given = configuration.dataDirectory {
            directory = given
        } else {
            directory = try DataDirectory.standard(environment: BusAddress.processEnvironment)
        }
        let found = try findings(directory)
        for finding in found {
            print(finding)
        }
        return found.isEmpty ? 0 : status(found.count)
    } catch {
        StandardError.write("sentineld: \(error.message)\n")
        return error.code.exitCode
    }
}
