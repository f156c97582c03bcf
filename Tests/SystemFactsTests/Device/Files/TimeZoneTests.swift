// SPDX-License-Identifier: MIT

import SystemFacts
import Testing
import TestSupport

@Suite("Device time zone")
struct TimeZoneTests {
    @Test(
        "TZ comes first where it names a zone, else the link",
        arguments: [
            ("Asia/Tokyo", "Asia/Tokyo", "TZ"), (":Asia/Tokyo", "Asia/Tokyo", "TZ"),
            ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", "TZ"), ("", "UTC", "TZ"),
            ("CET-1CEST", "Europe/Berlin", "/etc/localtime"), ("Mars/Olympus", "Europe/Berlin", "/etc/localtime"),
            ("../../etc/passwd", "Europe/Berlin", "/etc/localtime"),
            ("/etc/localtime", "Europe/Berlin", "/etc/localtime"),
        ])
    func variable(value: String, zone: String, source: String) throws {
        let root = try FixtureRoot([
            "/etc/localtime": "->/usr/share/zoneinfo/Europe/Berlin", "/usr/share/zoneinfo/Asia/Tokyo": "",
        ])
        let fact = root.files(["TZ": value]).facts().timeZone
        #expect(fact.value == zone)
        #expect(fact.source == source)
    }

    @Test(
        "the link is followed to a name",
        arguments: [
            ("/usr/share/zoneinfo/Etc/UTC", "Etc/UTC"), ("../usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
            ("/etc/zoneinfo/Europe/Berlin", "Europe/Berlin"),
            ("/usr/share/zoneinfo/posix/Asia/Kolkata", "Asia/Kolkata"),
            ("/usr/share/zoneinfo", nil), ("/var/lib/zone", nil), ("/usr/share/zoneinfo/a b", nil),
            ("/usr/share/zoneinfo/../../etc", nil),
        ] as [(String, String?)])
    func link(target: String, zone: String?) throws {
        #expect(try FixtureRoot(["/etc/localtime": "->\(target)"]).files().facts().timeZone.value == zone)
    }

    @Test("a file instead of the link has its name beside it")
    func file() throws {
        let root = try FixtureRoot(["/etc/localtime": "TZif2"])
        #expect(root.files().facts().timeZone.value == nil)
        try root.write("/etc/timezone", "Europe/Paris\n")
        #expect(root.files().facts().timeZone.value == "Europe/Paris")
    }
}
