import Foundation

// Swift Testing begins all tests at once. Then thousands of them are alive at the same time, with
// all that they hold, and the tests take half as long again as with a few at a time. With too few,
// tests that wait for a browser or a terminal keep all others from running. Swift Testing reads the
// number from the environment, which therefore must have it before `main` is called.

#if os(Linux)
@section(".init_array") @used
private let limitsTests: @convention(c) () -> Void = {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "16", 0)
}
#endif
