// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces

/// A way of a provider not to keep to what it is to answer.
enum Lie: CaseIterable {
    case anotherSignature, tooMany, anotherKind, twiceTheSame, wrongType, badAttribute

    func tell(_ reply: Reply<[Section]>) {
        switch self {
        case .anotherSignature: answerWithText(reply.call)
        case .tooMany:
            reply([
                Section(
                    id: "s", title: "S", items: (0..<2000).map { .of("i\($0)", "info", .byte(0)) }, attributes: [:])
            ])
        case .anotherKind: tell(reply, .of("level", "text", .string("x")), .of("x", "toggle", .string("true")))
        case .twiceTheSame: tell(reply, .of("level", "integer", .byte(1)), .of("level", "integer", .byte(1)))
        case .wrongType: tell(reply, .of("level", "integer", .string("5")))
        case .badAttribute:
            tell(reply, .of("level", "integer", .byte(5), ["choices": .byte(5)]))
        }
    }

    private func tell(_ reply: Reply<[Section]>, _ items: Item...) {
        reply([Section(id: "s", title: "S", items: items, attributes: [:])])
    }

    func tellValue(_ reply: Reply<Value>) {
        switch self {
        case .anotherSignature: answerWithText(reply.call)
        case .tooMany: reply(.int64(11))
        case .anotherKind: reply(.boolean(true))
        case .twiceTheSame: reply(.structure([.byte(1), .byte(1)]))
        case .wrongType: reply(.string("5"))
        case .badAttribute: reply(.double(5))
        }
    }

    func tellResults(_ reply: Reply<[Key: Value]>) {
        switch self {
        case .anotherSignature: answerWithText(reply.call)
        case .tooMany: reply(["x": .string(String(repeating: "x", count: 65_536))])
        case .anotherKind: reply(["x": .objectPath("/")])
        case .twiceTheSame: reply(["x": .structure([.byte(1)])])
        case .wrongType: reply(["x": .double(.infinity)])
        case .badAttribute: reply(["x": .signature("s")])
        }
    }

    private func answerWithText(_ call: MethodCall) {
        call.answer { (writer) throws(DBusError) in
            try writer.write("what?")
            try writer.write(true)
        }
    }
}
