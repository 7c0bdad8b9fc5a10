#if canImport(Glibc)
import Glibc

/// As good as empty: opens the file it is given, so that `startup` can see it get there.
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
