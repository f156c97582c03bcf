// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import TestSupport

/// An interface with a method for each way in which a call can be dealt with. Confined to the loop's thread.
final class TestInterface: InterfaceImplementation, @unchecked Sendable {
    static let name: InterfaceName = "org.sentinel.Test1"

    let description: InterfaceDescription
    /// The calls of `Hold`, unanswered.
    let held = Recorder<MethodCall>()
    /// The names of the methods that were called.
    let called = Recorder<String>()
    /// The property `Title`.
    var title = "untitled"
    /// The property `Level`.
    var level: Int32 = 3

    init(name: InterfaceName = TestInterface.name) {
        let methods = [
            InterfaceDescription.Method("Echo", arguments: "v", results: "v"),
            InterfaceDescription.Method("Drop", arguments: "", results: ""),
            InterfaceDescription.Method("AnswerTwice", arguments: "", results: "s"),
            InterfaceDescription.Method("Hold", arguments: "ay", results: ""),
            InterfaceDescription.Method("Fail", arguments: "s", results: ""),
            InterfaceDescription.Method("Fill", arguments: "u", results: "ay"),
            InterfaceDescription.Method("Duplicate", arguments: "h", results: "h"),
            InterfaceDescription.Method("AnswerElsewhere", arguments: "u", results: "u"),
            InterfaceDescription.Method("AnswerBadly", arguments: "", results: "s"),
            InterfaceDescription.Method("Pair", arguments: "sa{sv}", results: "as"),
        ]
        let properties = [
            InterfaceDescription.Property("Title", type: "s", isWritable: true, changeSignal: .value),
            InterfaceDescription.Property("Level", type: "i", isWritable: true, changeSignal: .invalidation),
            InterfaceDescription.Property("Version", type: "u", changeSignal: .constant),
            InterfaceDescription.Property("Clock", type: "t", changeSignal: .none),
            InterfaceDescription.Property("Broken", type: "s", changeSignal: .value),
        ]
        description = InterfaceDescription(
            name, methods: methods, properties: properties, xml: " <interface name=\"\(name)\"/>")
    }

    func invoke(_ index: Int, _ call: MethodCall) throws(DBusError) {
        let method = description.methods[index].name.text
        called.append(method)
        var arguments = call.message.body
        switch method {
        case "Echo":
            Reply<Value>(call)(try arguments.read(Value.self))
        case "Drop":
            break
        case "AnswerTwice":
            Reply<String>(call)("first")
            Reply<String>(call)("second")
            Reply<String>(call).fail(DBusError(.failed, "third"))
        case "Hold":
            held.append(call)
        case "Fail":
            throw DBusError(.accessDenied, try arguments.read(String.self))
        case "Fill":
            Reply<[UInt8]>(call)([UInt8](repeating: 7, count: Int(try arguments.read(UInt32.self))))
        case "Duplicate":
            Reply<FileDescriptor>(call)(try arguments.read(FileDescriptor.self))
        case "AnswerElsewhere":
            let number = try arguments.read(UInt32.self)
            DispatchQueue.global().async { Reply<UInt32>(call)(number) }
        case "AnswerBadly":
            Reply<String>(call)("a\0b")
        default:
            Reply<[String]>(call)([])
        }
    }

    func property(_ index: Int) throws(DBusError) -> any WireCodable {
        switch index {
        case 0: title
        case 1: level
        case 2: UInt32(1)
        case 3: UInt64(99)
        default: throw DBusError(.notSupported, "broken on purpose")
        }
    }

    func setProperty(_ index: Int, to value: Value, _ call: MethodCall) throws(DBusError) {
        if index == 0 {
            title = try String(value)
        } else {
            level = try Int32(value)
        }
        call.answer { _ in }
    }
}

/// Children of a path by name, each with a ``TestInterface``.
final class TestSubtree: ObjectSubtree {
    let childNames: [String]
    private let children: [String: ExportedObject]

    init(_ names: [String]) {
        childNames = names
        children = Dictionary(uniqueKeysWithValues: names.map { ($0, ExportedObject([TestInterface()])) })
    }

    func object(named name: String) -> ExportedObject? { children[name] }
}
