// SPDX-License-Identifier: MIT

import SystemFacts
import Testing

@Suite("Control groups and the systemd units in them")
struct ControlGroupTests {
    @Test(
        "the unit of a path is the one that systemctl knows",
        arguments: [
            ("/user.slice/user-1000.slice/session-2.scope", "session-2.scope", false),
            (
                "/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-foo-12.scope",
                "app-gnome-foo-12.scope", true
            ),
            ("/user.slice/user-1000.slice/user@1000.service/app.slice/foo@1.service", "foo@1.service", true),
            ("/user.slice/user-1000.slice/user@1000.service/init.scope", "init.scope", true),
            ("/user.slice/user-1000.slice/user@1000.service", "user@1000.service", false),
            ("/user.slice/user-1000.slice/user@1000.service/app.slice", "app.slice", true),
            ("/user.slice", "user.slice", false),
            ("/system.slice/ssh.service", "ssh.service", false),
            ("/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service", false),
            ("/system.slice/docker-abc.scope/system.slice/inner.service", "docker-abc.scope", false),
            ("/user.slice/user-1.slice/user@1.service/app.slice/a.scope/payload", "a.scope", true),
            ("/user.slice/user-1.slice/user@1.service/app.slice/_cpu.service", "cpu.service", true),
            (#"/system.slice/dev-disk-by\x2dlabel-a.service"#, #"dev-disk-by\x2dlabel-a.service"#, false),
        ])
    func unit(_ path: String, _ name: String, _ isUserUnit: Bool) {
        let unit = ControlGroup(path: path).unit
        #expect(unit?.name == name)
        #expect(unit?.isUserUnit == isUserUnit)
    }

    @Test(
        "a path without a unit has none",
        arguments: ["", "/", "/docker/abc", "/../..", "//", "/a b.scope", "/@.service"])
    func none(_ path: String) {
        #expect(ControlGroup(path: path).unit == nil)
    }

    @Test(
        "names that systemd would not have are no units",
        arguments: [
            "", ".", ".service", "a", "a.target", "a.service.", "@a.service", "a@.service", "a/b.service", "ä.service",
            "a.Service", String(repeating: "a", count: 248) + ".service",
        ])
    func invalid(_ name: String) {
        #expect(SystemdUnit(name: name, isUserUnit: true) == nil)
    }

    @Test("the longest name is one")
    func longest() {
        #expect(SystemdUnit(name: String(repeating: "a", count: 247) + ".service", isUserUnit: true) != nil)
    }

    @Test(
        "the application of a unit is that of the desktop's forms",
        arguments: [
            (#"app-gnome-org.example.App\x2dBeta-4242.scope"#, "org.example.App-Beta"),
            ("app-flatpak-org.mozilla.firefox-77.scope", "org.mozilla.firefox"),
            ("app-org.kde.konsole-a1b2.scope", "org.kde.konsole"),
            ("app-org.kde.konsole@a1b2.service", "org.kde.konsole"),
            (#"app-gnome-foo\x2dbar@autostart.service"#, "foo-bar"),
            ("app-gnome-foo@12.scope", "foo"),
            ("app-org.example.App.service", "org.example.App"),
            (#"app-gnome-a\x2-1.scope"#, #"a\x2"#),
            (#"app-gnome-a\xzz\-1.scope"#, #"a\xzz\"#),
            (#"app-gnome-\xc3\xa4-1.scope"#, "ä"),
        ])
    func application(_ name: String, _ id: String) {
        #expect(SystemdUnit(name: name, isUserUnit: true)?.applicationID == id)
    }

    @Test(
        "other units belong to no application",
        arguments: [
            "session-2.scope", "app-foo.scope", "app.slice", "app-foo.slice", "app-.service", "app-a-b-c-1.scope",
            "foo@1.service", "dbus.service", "xapp-gnome-foo-1.scope",
        ])
    func noApplication(_ name: String) throws {
        #expect(try #require(SystemdUnit(name: name, isUserUnit: true)).applicationID == nil)
    }

    @Test("a line among others is found")
    func lines() throws {
        let status = try ProcTree.status(["4242/cgroup": "3:net_cls:/a\n0::/system.slice/a.service (deleted)\n"])
        #expect(status.controlGroup.value?.path == "/system.slice/a.service")
    }

    @Test("the kernel's mark of a deleted group is known by its bytes, whatever is before it")
    func deleted() throws {
        let status = try ProcTree.status(["4242/cgroup": "0::/a\u{600} (deleted)\n"])
        #expect(status.controlGroup.value?.path == "/a\u{600}")
    }

    @Test(
        "where systemd uses version 1 there is none",
        arguments: [
            "1:name=systemd:/user.slice/user-0.slice/session-1.scope\n",
            "4:memory:/x\n1:name=systemd:/user.slice\n0::/user.slice/user-0.slice/session-1.scope\n", "4:memory:/x\n",
            "",
        ])
    func versionOne(_ text: String) throws {
        let status = try ProcTree.status(["4242/cgroup": text])
        #expect(status.controlGroup.error?.code == .absent)
    }
}
