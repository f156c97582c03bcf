// SPDX-License-Identifier: MIT

import Foundation

/// A `dbus-daemon` of its own, with the limits of a session bus and without any service that it could start.
struct PrivateBus {
    /// Where clients connect.
    let address: String

    private let daemon: Child
    private let directory: TemporaryDirectory

    /// Starts the bus and waits until it listens.
    ///
    /// - Throws: ``BenchmarkError`` with code `unavailable`.
    init(cleanup: Cleanup) throws {
        directory = try TemporaryDirectory(cleanup: cleanup)
        let configurationPath = directory.path(of: "bus.conf")
        try Data(Self.configuration(directory: directory.path).utf8).write(to: URL(fileURLWithPath: configurationPath))

        let pipe = Pipe()
        daemon = try Child(
            ["dbus-daemon", "--config-file=\(configurationPath)", "--nofork", "--nopidfile", "--print-address=1"],
            logPath: directory.path(of: "bus.log"), output: pipe.fileHandleForWriting.fileDescriptor, cleanup: cleanup
        )
        try pipe.fileHandleForWriting.close()
        // One line comes; the end of the file comes instead if the bus could not start.
        address = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard !address.isEmpty else {
            throw BenchmarkError(code: .unavailable, message: "dbus-daemon did not start", output: daemon.output)
        }
    }

    /// Ends the bus and removes its files.
    func end() {
        daemon.end()
        directory.remove()
    }

    /// The limits are those of the session bus that dbus ships: the built-in ones are for the system bus.
    private static func configuration(directory: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:dir=\(directory)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
          <limit name="max_incoming_bytes">1000000000</limit>
          <limit name="max_outgoing_bytes">1000000000</limit>
          <limit name="max_message_size">1000000000</limit>
          <limit name="max_completed_connections">100000</limit>
          <limit name="max_incomplete_connections">10000</limit>
          <limit name="max_connections_per_user">100000</limit>
          <limit name="max_names_per_connection">50000</limit>
          <limit name="max_match_rules_per_connection">50000</limit>
          <limit name="max_replies_per_connection">50000</limit>
        </busconfig>
        """
    }
}
