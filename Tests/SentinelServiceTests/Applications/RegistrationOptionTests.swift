// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import Testing

@testable import SentinelService

@Suite("Options of a registration")
struct RegistrationOptionTests {
    @Test("what is not given is not known")
    func empty() throws {
        #expect(try Registration(options: [:]) == Registration())
    }

    @Test("keys that are not known are ignored, whatever they hold")
    func unknownKeys() throws {
        let options: [Key: Value] = [
            "process_id": .uint32(1), "Name": .uint32(1), "name ": .double(.nan), "": .boolean(true),
            "na\u{0}me": .string(""),
        ]
        #expect(try Registration(options: options) == Registration())
    }

    @Test("texts are taken as they are, layers of variant around them or not")
    func texts() throws {
        let longest = String(repeating: "\u{E9}", count: 512)
        let registration = try Registration(options: [
            "name": .variant(.variant(.string("A\u{301}"))), "version": .string(""), "build": .string(longest),
            "icon": .string("/usr/share/icons/\u{1F600}.png"),
        ])
        #expect(registration.name.map { Array($0.utf8) } == Array("A\u{301}".utf8))
        #expect(registration.version == "")
        #expect(registration.build == longest)
        #expect(registration.icon == "/usr/share/icons/\u{1F600}.png")
    }

    @Test("a value of another type, or a text that no person could read, is refused by the option's name")
    func wrongValues() {
        let forTexts: [Value] = [
            .uint32(1), .boolean(true), .double(1), .objectPath("/a"), .signature("s"), .strings(["a"]), .options([:]),
            .bytes([65]), .structure([.string("a")]), .string("a\u{0}b"), .string("a\nb"), .string("\u{1B}[31m"),
            .string("\u{85}"), .string(String(repeating: "n", count: 1025)),
        ]
        let texts: [Key] = ["name", "version", "build", "icon"]
        let others: [(Key, Value)] = [
            ("provider", .string("/provider")), ("provider", .uint32(0)), ("provider", .strings([])),
            ("launch", .string("")), ("launch", .strings([])), ("launch", .boolean(false)),
        ]
        for (key, value) in texts.flatMap({ key in forTexts.map { (key, $0) } }) + others {
            let error = #expect(throws: DBusError.self) { try Registration(options: [key: value]) }
            #expect(error?.code == .invalidArgs)
            #expect(error?.message.contains("option \(key)") == true, "\(error?.message ?? "")")
        }
    }

    @Test("an object path past a kilobyte is no provider")
    func longProvider() throws {
        let longest = try ObjectPath("/" + String(repeating: "p", count: 1023))
        #expect(try Registration(options: ["provider": .objectPath(longest)]).provider == longest)
        let longer = try ObjectPath("/" + String(repeating: "p", count: 1024))
        #expect(throws: DBusError.self) { try Registration(options: ["provider": .objectPath(longer)]) }
    }

    @Test(
        "a path that the bus cuts connections for is no provider",
        arguments: ["/org/freedesktop/DBus/Local", "/org/freedesktop/DBus/Local/x", "/org/freedesktop/DBus/Locals"])
    func reservedProvider(path: String) throws {
        let path = try ObjectPath(path)
        let error = #expect(throws: DBusError.self) { try Registration(options: ["provider": .objectPath(path)]) }
        #expect(error?.message.contains("option provider") == true)
    }

    @Test("launch values are kept as preferences hold them")
    func launch() throws {
        let registration = try Registration(options: [
            "launch": .variant(
                .options([
                    "b": .boolean(true), "y": .byte(255), "n": .int16(-1), "q": .uint16(.max), "i": .int32(.min),
                    "u": .uint32(.max), "x": .int64(.min), "t": .uint64(UInt64(Int64.max)), "d": .double(-0.5),
                    "s": .variant(.variant(.string("text"))),
                ]))
        ])
        #expect(
            registration.launch == [
                "b": .boolean(true), "y": .int64(255), "n": .int64(-1), "q": .int64(65535), "i": .int64(-2_147_483_648),
                "u": .int64(4_294_967_295), "x": .int64(.min), "t": .int64(.max), "d": .double(-0.5),
                "s": .string("text"),
            ])
        #expect(try Registration(options: ["launch": .options([:])]).launch == [:])
    }

    @Test(
        "what no preference can hold is no launch value",
        arguments: [
            .double(.nan), .double(.infinity), .uint64(.max), .objectPath("/a"), .signature("s"), .bytes([1]),
            .strings(["a"]), .options([:]), .structure([.byte(1)]),
        ] as [Value])
    func wrongLaunch(value: Value) {
        let error = #expect(throws: DBusError.self) {
            try Registration(options: ["launch": .options(["level": value])])
        }
        #expect(error?.code == .invalidArgs)
        #expect(error?.message.hasPrefix("option launch, key level: ") == true)
    }

    @Test("a descriptor is no launch value: it would be held as long as the instance lives")
    func descriptorInLaunch() throws {
        let descriptor = try FileDescriptor(duplicating: 0)
        #expect(throws: DBusError.self) {
            try Registration(options: ["launch": .options(["h": .fileDescriptor(descriptor)])])
        }
    }

    @Test("launch values with a bad key, or too much of them, are refused")
    func largeLaunch() throws {
        for key: Key in ["", "a\nb", "\u{202E}", Key(String(repeating: "k", count: 256))] {
            #expect(throws: DBusError.self) { try Registration(options: ["launch": .options([key: .byte(1)])]) }
        }
        let fits: Value = .options(["k": .string(String(repeating: "v", count: (64 << 10) - 1))])
        #expect(try Registration(options: ["launch": fits]).launch?.count == 1)
        let exceeds: Value = .options(["k": .string(String(repeating: "v", count: 64 << 10))])
        let error = #expect(throws: DBusError.self) { try Registration(options: ["launch": exceeds]) }
        #expect(error?.message.contains("option launch") == true)
    }

    @Test("a record takes over what is given and keeps the rest")
    func record() throws {
        let time = try Timestamp(microseconds: 1_800_000_000_000_000)
        let known = ApplicationRecord(
            id: try ApplicationID("com.example.App"), name: "Old", icon: "icon", version: "1", build: "2",
            firstSeen: time, lastSeen: time)
        #expect(Registration().updated(known) == known)
        let updated = try Registration(options: ["name": .string("New"), "build": .string("")]).updated(known)
        #expect(updated.name == "New")
        #expect(updated.build == "")
        #expect(updated.icon == "icon")
        #expect(updated.version == "1")
    }
}
