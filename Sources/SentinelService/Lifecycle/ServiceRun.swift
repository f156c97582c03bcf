// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelModels
import SentinelPersistence

/// Runs the service on the calling thread, which should be the main one, until it is asked to end.
///
/// Failure to start is said in one line on standard error.
///
/// - Returns: the exit status: 0 after a signal, a replacement or the end of the bus; of `sysexits(3)` 69 without a
///   bus, 75 if the service runs already, 70 for an internal failure.
public func runService(_ configuration: ServiceConfiguration) -> Int32 {
    do throws(ServiceFailure) {
        try start(configuration).get()
        return 0
    } catch {
        StandardError.write("\(Log.identifier): \(error.message)\n")
        return error.exitStatus
    }
}

private func start(_ configuration: ServiceConfiguration) throws(ServiceFailure) -> Result<Void, ServiceFailure> {
    openStandardDescriptors()
    try DescriptorLimit.raise()
    // What the service makes is its user's alone.
    umask(0o077)
    // A log that nobody reads any more must not end the service.
    signal(SIGPIPE, SIG_IGN)
    let log = Log(level: configuration.logLevel)
    let (loop, signals, connection) = try connect(configuration)
    let store = openStore(configuration, log)
    let service = Service(
        connection: connection, store: store, log: log,
        manager: ServiceManager(socketPath: BusAddress.processEnvironment("NOTIFY_SOCKET")),
        replaces: configuration.replaces, processID: UInt32(getpid()))
    let watch = signals.watch(on: loop) { service.take($0) }
    loop.enqueue { service.start() }
    loop.run()
    watch.cancel()
    service.waitForRest()
    return service.result
}

/// Opens what is closed of standard input, output and error. What is opened next would take its number: the log would
/// go to the bus or into the database.
private func openStandardDescriptors() {
    var descriptor: Int32
    repeat {
        descriptor = open("/dev/null", O_RDWR)
    } while descriptor >= 0 && descriptor <= STDERR_FILENO
    if descriptor >= 0 {
        close(descriptor)
    }
}

private func connect(
    _ configuration: ServiceConfiguration
) throws(ServiceFailure) -> (EventLoop, ProcessSignals, Connection) {
    do throws(DBusError) {
        let signals = try ProcessSignals()
        let loop = try EventLoop()
        let address = if let text = configuration.address { try BusAddress(text) } else { try BusAddress.session() }
        return (loop, signals, try Connection(to: address, on: loop))
    } catch {
        throw .bus(error)
    }
}

private func openStore(_ configuration: ServiceConfiguration, _ log: Log) -> Store {
    let directory: String
    do throws(SentinelError) {
        if let given = configuration.dataDirectory {
            directory = given
        } else {
            directory = try DataDirectory.standard(environment: BusAddress.processEnvironment)
        }
    } catch {
        log.warning(error.message)
        // A store with nowhere to go keeps what it is given in memory, and says so.
        directory = ""
    }
    return Store.open(location: .directory(directory), clock: .system)
}
