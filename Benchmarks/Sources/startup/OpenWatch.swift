#if canImport(Glibc)
import Glibc

/// A watcher that detects when a file in a directory is first opened.
struct OpenWatch: ~Copyable {
  private let descriptor: Int32

  init(directory: String) throws {
    descriptor = inotify_init1(Int32(O_CLOEXEC))
    guard descriptor >= 0, inotify_add_watch(descriptor, directory, UInt32(IN_OPEN)) >= 0 else {
      throw StartupError.cannotWatch(directory)
    }
  }

  deinit {
    close(descriptor)
  }

  /// Waits until a file in the directory is opened, and returns whether this happened in time.
  func waitForOpen(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) == 1
  }
}
#else
struct OpenWatch: ~Copyable {
  init(directory: String) throws {
    throw StartupError.cannotWatch(directory)
  }

  func waitForOpen(milliseconds: Int32) -> Bool { false }
}
#endif
