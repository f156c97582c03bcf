// SPDX-License-Identifier: MIT
// Keeps the Swift runtime out of the baseline.
//
// SwiftPM links executables in C with `swiftc`, which adds the Swift runtime and the C++ library; loading them makes
// the baseline's start 1.6 times as long, in Sentinel's favour. So the linker is told to leave out libraries that
// nothing refers to, through the section that carries linker options in Swift's own object files, and the two
// references that exist end here: they come from the start file (swiftrt.o) that registers Swift metadata, of which
// there is none. The `start` benchmark says so if a newer toolchain defeats this.

// The address sanitizer would put a red zone behind the text, which the linker would read as one option more.
__attribute__((used, section(".swift1_autolink_entries"), no_sanitize("address"))) static const char linker_options[] =
    "-Wl,--as-needed";

void swift_addNewDSOImage(const void *sections);
int _swift_backtrace_isThunkFunction(const char *name);

void swift_addNewDSOImage(const void *sections)
{
    (void)sections;
}

int _swift_backtrace_isThunkFunction(const char *name)
{
    (void)name;
    return 0;
}
