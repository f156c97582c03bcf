// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces

extension TestClient {
    /// The summaries.
    var analytics: Analytics1Proxy {
        Analytics1Proxy(connection, destination: Self.service, path: "/org/sentinel")
    }
}
