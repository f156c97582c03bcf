// SPDX-License-Identifier: MIT

import DBus
import Testing

@testable import SentinelService

@Suite("Presentation options")
struct PresentationOptionsTests {
    @Test("all screens are taken, also none", arguments: PresentationOptions.screens + [""])
    func screens(screen: String) throws {
        #expect(try PresentationOptions(["screen": .string(screen)]).screen == screen)
    }

    @Test("a screen that there is not is refused, and so are values of other types")
    func refused() throws {
        let error = #expect(throws: DBusError.self) { try PresentationOptions(["screen": .string("Tools")]) }
        #expect(error?.code == .invalidArgs)
        #expect(error?.message.contains("device, application, tools, preferences, performance") == true)
        for options: [Key: Value] in [
            ["screen": .boolean(true)], ["activation_token": .byte(1)], ["presenter": .string("yes")],
            ["activation_token": .string(String(repeating: "x", count: 4097))],
        ] {
            #expect(throws: DBusError.self, "\(options)") { try PresentationOptions(options) }
        }
        // What a method does not know it does not look at.
        #expect(try PresentationOptions(["presenter": .byte(1), "other": .byte(1)], mayPresent: false).screen.isEmpty)
    }

    @Test("a token is handed on under both its names")
    func token() throws {
        #expect(PresentationOptions().platformData.isEmpty)
        let data = try PresentationOptions(["activation_token": .string("t")]).platformData
        #expect(data == ["activation-token": .string("t"), "desktop-startup-id": .string("t")])
    }
}
