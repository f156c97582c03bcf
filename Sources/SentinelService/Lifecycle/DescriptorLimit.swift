// SPDX-License-Identifier: MIT

import Glibc

/// How many file descriptors this process may have open.
///
/// Dispatch opens some of its own when it first needs them, and ends the process where it gets none: a service that is
/// given too few does not start rather than end in the middle of a call.
enum DescriptorLimit {
    /// So many the service needs at least, with room for what it reads at the same time.
    static let least = 64

    /// Raises the limit as far as the process may.
    ///
    /// - Throws: `ServiceFailure.other` where that is not far enough.
    static func raise() throws(ServiceFailure) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            // Where this is refused, what there was counts.
            if setrlimit(resource, &limit) != 0 {
                getrlimit(resource, &limit)
            }
        }
        guard limit.rlim_cur >= rlim_t(least) else {
            throw .other(
                "only \(limit.rlim_cur) file descriptors are allowed here and \(least) are needed; raise the limit, "
                    + "as with 'ulimit -n'")
        }
    }
}
