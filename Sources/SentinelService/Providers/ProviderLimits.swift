// SPDX-License-Identifier: MIT

/// What the service grants a provider.
struct ProviderLimits: Sendable {
    /// So long may a provider take to read or write something.
    var deadline = Duration.seconds(5)
    /// So long may an action take.
    var actionDeadline = Duration.seconds(20)
    /// So many calls may wait for one provider.
    var outstandingCalls = 64
    /// So many bytes may the answer with a screen have.
    var contentBytes = 1 << 20
    /// So many bytes may any other answer have.
    var answerBytes = 128 << 10
}

extension ProviderLimits {
    /// ``deadline`` in whole seconds.
    var deadlineSeconds: Int {
        get { Int(clamping: deadline.components.seconds) }
        set { deadline = .seconds(newValue) }
    }

    /// ``actionDeadline`` in whole seconds.
    var actionDeadlineSeconds: Int {
        get { Int(clamping: actionDeadline.components.seconds) }
        set { actionDeadline = .seconds(newValue) }
    }
}
