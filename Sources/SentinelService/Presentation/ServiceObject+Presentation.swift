// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

// MARK: - Presentation

extension ServiceObject {
    var presentedApplications: [String] { presentations.presentedApplications }

    func show(applicationID: String, options: [Key: Value], reply: Reply<>) {
        reply.attempt {
            let id = try id(applicationID)
            let options = try PresentationOptions(options)
            presentations.show(
                try registry.application(id), options, caller: try reply.call.client, completion: Self.done(reply))
        }
    }

    func dismiss(applicationID: String, options: [Key: Value], reply: Reply<>) {
        reply.attempt {
            let id = try id(applicationID)
            let options = try PresentationOptions(options, mayPresent: false)
            presentations.dismiss(
                try registry.application(id), options, caller: try reply.call.client, completion: Self.done(reply))
        }
    }

    func toggle(applicationID: String, options: [Key: Value], reply: Reply<>) {
        reply.attempt {
            let id = try id(applicationID)
            let options = try PresentationOptions(options)
            presentations.toggle(
                try registry.application(id), options, caller: try reply.call.client, completion: Self.done(reply))
        }
    }

    /// Answers once something is done.
    private static func done(_ reply: Reply<>) -> PresentationService.Completion {
        { result in
            reply.attempt {
                try result.get()
                reply()
            }
        }
    }
}
