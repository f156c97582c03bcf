// SPDX-License-Identifier: MIT

import SentinelModels
import SystemFacts

/// What is known of a process and of the application that it is, at one time.
struct ProcessProfile: Sendable {
    /// The process's own facts, or why they cannot be had; nil where no process was looked at.
    let status: Fact<ProcessStatus>?
    /// What files tell of the application; nil where no application is known for the process.
    let metadata: ApplicationMetadata?

    /// Gathers the facts of an application, and of its process unless that is 0; reads some dozens of files.
    static func gather(_ id: ApplicationID, processID: UInt32, in places: ApplicationPlaces) -> ProcessProfile {
        guard processID != 0 else {
            return ProcessProfile(status: nil, metadata: .gather(id, process: nil, in: places))
        }
        let status = read(processID)
        let process = status.value.map(ObservedProcess.init)
        return ProcessProfile(
            status: status,
            metadata: .gather(
                id, process: process, securityLabel: status.value?.securityLabel.value, in: places))
    }

    /// Gathers the facts of any process; the application is the one that its unit or sandbox names, if they do.
    static func gather(processID: UInt32, in places: ApplicationPlaces) -> ProcessProfile {
        let status = read(processID)
        guard let process = status.value, let id = applicationID(of: process) else {
            return ProcessProfile(status: status, metadata: nil)
        }
        return ProcessProfile(
            status: status,
            metadata: .gather(
                id, process: ObservedProcess(process), securityLabel: process.securityLabel.value, in: places))
    }

    private static func read(_ processID: UInt32) -> Fact<ProcessStatus> {
        Fact { () throws(FactError) in
            try ProcessStatus.read(try ProcessHandle(reported: processID))
        }
    }

    private static func applicationID(of process: ProcessStatus) -> ApplicationID? {
        do {
            let sandbox = try SandboxProbe.sandbox(of: process.processID, securityLabel: process.securityLabel.value)
            let text = sandbox.applicationID ?? process.controlGroup.value?.unit?.applicationID
            return try text.map { (text) throws(SentinelError) in try ApplicationID(text) }
        } catch {
            // A process that has ended, and a name that is no id, tell of no application.
            return nil
        }
    }
}

extension ObservedProcess {
    /// What the search for an application's files needs of a process.
    init(_ status: ProcessStatus) {
        self.init(
            processID: status.processID, executable: status.executable.value?.path,
            environment: status.environment.value ?? [:])
    }
}
