// SPDX-License-Identifier: MIT

public import DBus

/// What files, the environment and the kernel tell of the machine: all that needs no system service.
///
/// Every read looks at the files anew. It takes some milliseconds, and longer where the firmware must be asked for the
/// battery.
public struct DeviceFiles: Sendable {
    let root: SystemRoot
    let environment: @Sendable (String) -> String?
    let kernelIdentity: KernelIdentity

    /// Names the sources.
    ///
    /// - Parameters:
    ///   - root: the directory that stands for `/`; symbolic links to absolute paths lead out of it.
    ///   - environment: reads a variable of the session.
    ///   - kernel: what the kernel says of itself.
    public init(
        root: String = "/", environment: @escaping @Sendable (String) -> String? = BusAddress.processEnvironment,
        kernel: KernelIdentity = .running
    ) {
        self.root = SystemRoot(root)
        self.environment = environment
        kernelIdentity = kernel
    }

    /// Reads everything. What only a service can tell is unknown.
    public func facts() -> DeviceFacts {
        var facts = DeviceFacts()
        let virtualization = VirtualizationProbe(root).virtualization()
        let battery = PowerSupplies(root).battery()
        facts.name = name()
        facts.model = model()
        facts.vendor = vendor()
        facts.chassis = chassis(virtualization)
        facts.systemVersion = systemVersion()
        facts.kernel = FactText.fact(kernelIdentity.release, from: "uname")
        facts.architecture = FactText.fact(kernelIdentity.machine, from: "uname")
        facts.identifier = MachineIdentifier.read(from: root)
        facts.processor = processor()
        facts.processorCount = processorCount()
        facts.memoryTotal = memory("MemTotal")
        facts.batteryState = battery.state
        facts.batteryLevel = battery.level
        facts.proximity = .unknown("no file tells what a proximity sensor sees")
        facts.locale = locale()
        facts.timeZone = timeZone()
        facts.sessionType = variable("XDG_SESSION_TYPE").map(
            { $0 == "unspecified" ? nil : $0 }, otherwise: "unspecified")
        facts.desktop = variable("XDG_CURRENT_DESKTOP")
        facts.bootTime = bootTime()
        facts.memoryAvailable = memory("MemAvailable")
        facts.kernelBuild = FactText.fact(kernelIdentity.version, from: "uname")
        facts.virtualization = virtualization
        facts.firmware = firmware()
        facts.displays = displays()
        facts.sessionState = .unknown("no file tells the state of a session")
        facts.sessionIsLocked = .unknown("no file tells whether a session is locked")
        return facts
    }

    /// A variable of the environment as a fact.
    func variable(_ name: String) -> DeviceFact<String> {
        guard let value = environment(name), !value.isEmpty else { return .unknown("\(name) is not set") }
        return FactText.fact(value, from: name)
    }
}
