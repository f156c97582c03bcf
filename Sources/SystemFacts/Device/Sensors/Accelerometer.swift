// SPDX-License-Identifier: MIT

import Glibc

/// An accelerometer of the kernel's industrial I/O (`sysfs-bus-iio` of its ABI documentation), held so that another
/// device that gets its number later is never taken for it; usable on every thread.
///
/// To read it may block: behind some drivers is a slow bus, or a sensor that has to wake up first.
public final class Accelerometer: Sendable {
    private static let devices = "/sys/bus/iio/devices"
    private static let devicePrefix = "iio:device"

    /// One of the three directions that it measures.
    private struct Axis {
        let file: String
        let scale: Double
        let offset: Double
    }

    private let directory: OwnedDescriptor
    private let path: String
    private let x: Axis?
    private let y: Axis?
    private let z: Axis?

    private init(_ directory: consuming OwnedDescriptor, path: String) throws(FactError) {
        x = try Self.axis("x", in: directory, path)
        y = try Self.axis("y", in: directory, path)
        z = try Self.axis("z", in: directory, path)
        self.directory = directory
        self.path = path
    }

    /// Finds the first accelerometer that tells what its numbers mean. Nothing is measured yet.
    ///
    /// - Parameter root: the directory that stands for `/`.
    /// - Throws: ``FactError``: `absent` where there is none; `denied`, `malformed` or `failed` where there is one that
    ///   nothing can be learned from.
    public static func find(root: String = "/") throws(FactError) -> Accelerometer {
        let root = SystemRoot(root)
        var problem: FactError?
        for path in try paths(in: root) {
            do throws(FactError) {
                if let found = try open(path, in: root) { return found }
            } catch {
                // One that has gone meanwhile is none.
                problem = problem ?? (error.code == .absent ? nil : error)
            }
        }
        throw problem ?? FactError(.absent, "this machine has no accelerometer")
    }

    /// Measures. An axis that it does not have is 0.
    ///
    /// - Throws: ``FactError``: `absent` where it has gone, for good; `denied`, `malformed` or `failed` where it does
    ///   not tell at the moment.
    public func sample() throws(FactError) -> Acceleration {
        let sample = Acceleration(x: try value(x), y: try value(y), z: try value(z))
        guard sample.isPlausible else { throw FactError(.malformed, "it tells what cannot be", path: path) }
        return sample
    }

    private func value(_ axis: Axis?) throws(FactError) -> Double {
        guard let axis else { return 0 }
        guard let raw = try Self.number(axis.file, in: directory, path) else {
            throw FactError(.absent, "the accelerometer has gone", path: path)
        }
        return (raw + axis.offset) * axis.scale
    }
}

extension Accelerometer {
    /// The devices of industrial I/O in the order of their numbers; they can be sensors of any kind.
    private static func paths(in root: SystemRoot) throws(FactError) -> [String] {
        do throws(SystemRoot.Problem) {
            let numbers = try root.names(in: devices).compactMap { name in
                name.begins(with: devicePrefix) ? Int(Substring(name.utf8.dropFirst(devicePrefix.utf8.count))) : nil
            }
            return numbers.sorted().map { "\(devices)/\(devicePrefix)\($0)" }
        } catch {
            // A kernel without such devices has no directory of them.
            if error.isMissing { return [] }
            throw SystemFailure(code: error.code).accelerometerError(devices)
        }
    }

    /// A device that measures acceleration; nil for another.
    private static func open(_ path: String, in root: SystemRoot) throws(FactError) -> Accelerometer? {
        let directory: OwnedDescriptor
        do throws(SystemFailure) {
            directory = try root.directory(path)
        } catch {
            throw error.accelerometerError(path)
        }
        let found = try Accelerometer(directory, path: path)
        return found.x == nil && found.y == nil && found.z == nil ? nil : found
    }

    private static func has(_ file: String, in directory: borrowing OwnedDescriptor) -> Bool {
        faccessat(directory.number, file, F_OK, 0) == 0
    }

    /// An axis with what makes m/s² of its numbers; nil where the device does not have it.
    private static func axis(
        _ name: String, in directory: borrowing OwnedDescriptor, _ path: String
    ) throws(FactError) -> Axis? {
        let file = "in_accel_\(name)_raw"
        guard has(file, in: directory) else { return nil }
        guard let scale = try setting("scale", of: name, in: directory, path) else {
            throw FactError(.malformed, "it tells no scale", path: path)
        }
        guard scale != 0 else { throw FactError(.malformed, "its scale is 0", path: path) }
        return Axis(file: file, scale: scale, offset: try setting("offset", of: name, in: directory, path) ?? 0)
    }

    /// What is set for one axis, else for all; nil where neither is.
    private static func setting(
        _ name: String, of axis: String, in directory: borrowing OwnedDescriptor, _ path: String
    ) throws(FactError) -> Double? {
        if let number = try number("in_accel_\(axis)_\(name)", in: directory, path) { return number }
        return try number("in_accel_\(name)", in: directory, path)
    }

    /// The number in a file of the device; nil where there is no such file.
    private static func number(
        _ file: String, in directory: borrowing OwnedDescriptor, _ path: String
    ) throws(FactError) -> Double? {
        let text: String?
        do throws(SystemFailure) {
            text = try read(file, in: directory)
        } catch {
            if error.code == ENOENT { return nil }
            throw error.accelerometerError("\(path)/\(file)")
        }
        guard let number = text.flatMap(decimal), number.isFinite else {
            throw FactError(.malformed, "it is not a number", path: "\(path)/\(file)")
        }
        return number
    }

    /// The text of a small file; nil where it is none.
    private static func read(_ file: String, in directory: borrowing OwnedDescriptor) throws(SystemFailure) -> String? {
        // Whatever stands in the file's place is not waited for.
        let file = try OwnedDescriptor(
            path: file, below: directory.number, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        guard try file.status.isRegular else { return nil }
        return String(decoding: try file.read(limit: 64).bytes, as: UTF8.self)
    }

    /// A number such as `-12` or `0.009582`, as the kernel writes them.
    private static func decimal(_ text: String) -> Double? {
        let text = FactText.trim(text)
        return text.utf8.allSatisfy("+-.0123456789".utf8.contains) ? Double(text) : nil
    }
}

extension SystemFailure {
    /// What the failure means for an accelerometer.
    fileprivate func accelerometerError(_ path: String) -> FactError {
        switch code {
        case ENOENT, ENOTDIR, ENODEV, ENXIO:
            FactError(.absent, "the accelerometer has gone", path: path)
        case EACCES, EPERM:
            FactError(.denied, "permission is denied", path: path)
        case EBUSY:
            // The sensor fills a buffer for somebody, as iio-sensor-proxy wants it of some.
            FactError(.failed, "another program uses it", path: path)
        default:
            FactError(.failed, description, path: path)
        }
    }
}
