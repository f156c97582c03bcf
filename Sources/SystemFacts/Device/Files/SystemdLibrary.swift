// SPDX-License-Identifier: MIT

import Glibc

/// What libsystemd is asked where it is installed. It is found at run time and let go again: nothing needs it.
enum SystemdLibrary {
    private static let name = "libsystemd.so.0"

    #if arch(x86_64) || arch(arm64)
        /// `int sd_id128_get_machine_app_specific(sd_id128_t app_id, sd_id128_t *ret)`.
        ///
        /// `sd_id128_t` is a union of 16 bytes; on these architectures it is passed as two 64-bit integers.
        private typealias GetMachineIdentifier =
            @convention(c) (_ first: UInt64, _ second: UInt64, _ result: UnsafeMutableRawPointer?) -> Int32

        /// The machine's identifier for an application of 16 bytes (`sd_id128_get_machine_app_specific(3)`).
        ///
        /// - Returns: 16 bytes; nil if the library is not there or the machine has no id.
        static func machineIdentifier(for application: [UInt8]) -> [UInt8]? {
            guard application.count == 16, let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
            defer { dlclose(library) }
            guard let symbol = dlsym(library, "sd_id128_get_machine_app_specific") else { return nil }
            let function = unsafeBitCast(symbol, to: GetMachineIdentifier.self)
            let (first, second) = application.withUnsafeBytes {
                ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
            var result = [UInt8](repeating: 0, count: 16)
            let code = result.withUnsafeMutableBytes { function(first, second, $0.baseAddress) }
            return code >= 0 ? result : nil
        }
    #else
        static func machineIdentifier(for application: [UInt8]) -> [UInt8]? { nil }
    #endif
}
