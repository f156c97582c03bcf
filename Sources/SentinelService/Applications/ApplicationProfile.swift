// SPDX-License-Identifier: MIT

import SystemFacts

/// What files and its newest instance's process tell of an application, as `org.sentinel.Application1` publishes it; a
/// text that cannot be had is empty.
///
/// It is all that is kept: a process's environment, which may hold secrets, is not.
struct ApplicationProfile: Sendable {
    /// The process that the facts are of; 0 for none.
    let processID: UInt32
    let executable: String
    let commandLine: [String]
    /// Microseconds since the Unix epoch; 0 if unknown.
    let startTime: Int64
    let desktopEntry: String
    let sandbox: String
    let unit: String
    let localizations: [String]
    let locale: String

    /// An application of which nothing has been read; its texts are in the session's locale.
    init(sessionLocale: String) {
        processID = 0
        executable = ""
        commandLine = []
        startTime = 0
        desktopEntry = ""
        sandbox = ""
        unit = ""
        localizations = []
        locale = sessionLocale
    }

    /// What was gathered of a process.
    init(_ facts: ProcessProfile, processID: UInt32, sessionLocale: String) {
        let process = facts.status?.value
        let metadata = facts.metadata
        self.processID = processID
        executable = process?.executable.value?.path ?? ""
        commandLine = process?.commandLine.value?.arguments ?? []
        startTime = process?.startTime.value ?? 0
        desktopEntry = metadata?.desktopEntry.value?.id ?? ""
        sandbox = metadata?.sandbox.value?.name ?? ""
        unit = process?.controlGroup.value?.unit?.name ?? ""
        localizations = metadata?.localizations.map(\.description) ?? []
        // What the environment of a process is that does not show it, nobody can tell; none has the session's.
        locale = processID == 0 ? sessionLocale : process?.environment.value == nil ? "" : metadata?.locale?.name ?? ""
    }
}
