#if canImport(Glibc)
import Glibc

/// An almost empty program that only opens the given file, so that `startup` can detect that the
/// program has started.
@main
enum Empty {
  static func main() {
    guard let path = CommandLine.arguments.dropFirst().first else { return }
    close(open(path, O_RDONLY))
  }
}
#else
@main
enum Empty {
  static func main() {}
}
#endif
