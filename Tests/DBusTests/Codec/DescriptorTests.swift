// SPDX-License-Identifier: MIT

import DBus
import Foundation
import Testing
import TestSupport

extension LiveTests {
    @Suite("File descriptors in messages")
    struct DescriptorTests {
        private func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

        @Test("a descriptor is closed with the last reference to its owner")
        func ownership() throws {
            var owner: FileDescriptor? = try FileDescriptor(duplicating: 0)
            let number = try #require(owner?.rawValue)
            let second = owner
            owner = nil
            #expect(isOpen(number))
            withExtendedLifetime(second) {}
        }

        @Test("a duplicate is another descriptor, closed on exec; one of none is an error")
        func duplicates() throws {
            let first = try FileDescriptor(duplicating: 0)
            #expect(first.rawValue > 2)
            #expect(fcntl(first.rawValue, F_GETFD) & FD_CLOEXEC != 0)
            #expect(errorCode { _ = try FileDescriptor(duplicating: -1) } == .failed)
            #expect(errorCode { _ = try FileDescriptor(Value.byte(1)) } == .invalidArgs)
        }

        @Test("a message has a duplicate of its own, and each reading gives another")
        func messages() throws {
            var source: FileDescriptor? = try FileDescriptor(duplicating: 0)
            let number = try #require(source?.rawValue)
            let message = try Wire.message { [source] (writer) throws(DBusError) in
                guard let source else { return }
                try writer.write(source)
                try writer.write(Value.fileDescriptor(source))
            }
            source = nil
            var reader = message.body
            let first = try reader.read(FileDescriptor.self)
            guard case .fileDescriptor(let second) = try reader.read(Value.self) else {
                Issue.record("no descriptor")
                return
            }
            #expect(Set([first.rawValue, second.rawValue]).count == 2)
            #expect(isOpen(first.rawValue) && isOpen(second.rawValue))
            _ = number
        }

        @Test("a descriptor that is closed does not travel")
        func closed() throws {
            let number = dup(0)
            close(number)
            let stale = FileDescriptor(owning: number)
            #expect(errorCode { _ = try Wire.message { (writer) throws(DBusError) in try writer.write(stale) } } != nil)
        }

        @Test("a thousand messages with descriptors, read, unread and abandoned, leave none open")
        func leaks() throws {
            let source = try FileDescriptor(duplicating: 0)
            let before = try ProcessResources.descriptorCount
            for round in 0..<1_000 {
                _ = errorCode {
                    let message = try Wire.message { (writer) throws(DBusError) in
                        for _ in 0..<3 {
                            try writer.write(source)
                        }
                        if round % 3 == 0 {
                            try writer.write("\0")
                        }
                    }
                    if round % 3 == 1 {
                        var reader = message.body
                        _ = try reader.read(FileDescriptor.self)
                        _ = try reader.anyValue()
                    }
                }
            }
            #expect(try ProcessResources.descriptorCount <= before)
        }
    }
}
