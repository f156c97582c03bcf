// SPDX-License-Identifier: MIT

import SentinelModels

/// What the machine is made of.
extension DeviceFiles {
    static let processorFile = "/proc/cpuinfo"
    private static let onlineFile = "/sys/devices/system/cpu/online"
    private static let mostProcessors = 65_536

    /// The processor's model: what the kernel calls it, else its ARM parts.
    func processor() -> DeviceFact<String> {
        do throws(SystemRoot.Problem) {
            let text = try root.read(Self.processorFile, limit: 256 << 10)
            var named: [Substring: Substring] = [:]
            var parts: [ProcessorPart] = []
            var implementer: Substring = ""
            for line in FactText.lines(text) {
                guard let (key, value) = FactText.pair(line), !value.isEmpty else { continue }
                switch key {
                case "CPU implementer":
                    implementer = value
                case "CPU part":
                    let part = ProcessorPart(implementer: implementer, part: value)
                    if !parts.contains(part) {
                        parts.append(part)
                    }
                default:
                    named[key] = named[key] ?? value
                }
            }
            // In the words of x86, 32-bit ARM, MIPS, POWER and RISC-V.
            for key in ["model name", "Processor", "cpu model", "cpu", "uarch"] {
                guard let value = named[Substring(key)] else { continue }
                let words = value.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
                return FactText.firmwareFact(words.joined(separator: " "), from: Self.processorFile)
            }
            return ProcessorPart.fact(parts, from: Self.processorFile)
        } catch {
            return .unknown(error.text)
        }
    }

    /// The number of processors that are online: the kernel's list, else the processors in `/proc/cpuinfo`.
    func processorCount() -> DeviceFact<UInt32> {
        root.line(Self.onlineFile).map(Self.count(inList:), otherwise: "not a list of processors")
            .orElse(listedProcessors())
    }

    /// The number of numbers in a list such as `0-3,8`.
    static func count(inList list: String) -> UInt32? {
        var total = 0
        for range in list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let ends = range.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
                .map { UInt16(Substring($0)).map(Int.init) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last else {
                return nil
            }
            total += last - first + 1
            guard total <= mostProcessors else { return nil }
        }
        return UInt32(exactly: total)
    }

    private func listedProcessors() -> DeviceFact<UInt32> {
        do throws(SystemRoot.Problem) {
            let text = try root.read(Self.processorFile, limit: 8 << 20)
            let count = FactText.lines(text).count { FactText.pair($0)?.key == "processor" }
            guard count > 0, let known = UInt32(exactly: count) else {
                return .unknown("\(Self.processorFile): it lists no processor")
            }
            return .known(known, from: Self.processorFile)
        } catch {
            return .unknown(error.text)
        }
    }

    /// An amount of memory in bytes, of `proc_meminfo(5)`.
    func memory(_ field: String) -> DeviceFact<UInt64> {
        let path = "/proc/meminfo"
        do throws(SystemRoot.Problem) {
            for line in FactText.lines(try root.read(path, limit: 16 << 10)) {
                guard let (key, value) = FactText.pair(line), key == field[...] else { continue }
                let words = value.utf8.split(separator: UInt8(ascii: " "))
                guard words.count == 2, let last = words.last, Substring(last) == "kB",
                    let kibibytes = words.first.flatMap({ UInt64(Substring($0)) })
                else { return .unknown("\(path): \(field) is no amount") }
                let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
                guard !overflow, bytes > 0 || field != "MemTotal" else {
                    return .unknown("\(path): \(field) is no amount")
                }
                return .known(bytes, from: path)
            }
            return .unknown("\(path): no \(field)")
        } catch {
            return .unknown(error.text)
        }
    }

    /// When the machine was started. A machine that began without a clock's time does not know.
    func bootTime() -> DeviceFact<Timestamp> {
        let path = "/proc/stat"
        do throws(SystemRoot.Problem) {
            // The line of interrupts before it can be long.
            for line in FactText.lines(try root.read(path, limit: 4 << 20)) {
                guard line.utf8.starts(with: "btime ".utf8) else { continue }
                guard let seconds = Int64(FactText.trim(line.dropFirst(6))) else { break }
                let (microseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
                guard !overflow else { break }
                do {
                    return .known(try Timestamp(microseconds: microseconds), from: path)
                } catch {
                    return .unknown("\(path): the clock was not set when the machine was started")
                }
            }
            return .unknown("\(path): no time of the start")
        } catch {
            return .unknown(error.text)
        }
    }

    /// The connectors with a display.
    func displays() -> DeviceFact<[String]> {
        let path = "/sys/class/drm"
        do throws(SystemRoot.Problem) {
            var displays: [String] = []
            for name in try root.names(in: path) where name.utf8.starts(with: "card".utf8) {
                guard let dash = name.utf8.firstIndex(of: UInt8(ascii: "-")),
                    root.word("\(path)/\(name)/status") == "connected"
                else { continue }
                let connector = String(name[name.utf8.index(after: dash)...])
                if let display = FactText.fact(connector, from: path).value {
                    displays.append(display)
                }
            }
            return .known(displays.sorted(), from: path)
        } catch {
            return .unknown(error.text)
        }
    }
}
