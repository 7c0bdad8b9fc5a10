#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `pond`: questions about ponds and their runs, from files. What the commands are is in
/// `Commands/`; here the answer is written.
@main
struct PondCommand {
  static func main() {
    // A write to a closed pipe, or beyond how large a file may get, then gives an error instead of
    // ending the program unasked.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // If a stream is closed, the next file opened would get its number, and be written into. What
    // stands there instead cannot be written, so that an answer that is lost is an error.
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
    let words = Array(CommandLine.arguments.dropFirst())
    let waiting = Waiting(for: words.first ?? "")
    var environment = Environment.ofProcess
    let read = environment.read
    environment.read = { path, most throws(Problem) in
      try waiting.reading { () throws(Problem) in try read(path, most) }
    }
    let result = waiting.during { [environment] in Session(environment: environment).run(words) }
    do throws(Problem) {
      // First, for it is the answer; a file may turn out not to be one that can be written.
      try SystemFile.print(result.output)
      for file in result.files {
        try SystemFile.write(file.text, to: file.path, appending: file.isAppended)
      }
    } catch {
      SystemFile.complain("pond: \(error)\n")
      exit(2)
    }
    SystemFile.complain(result.error)
    exit(result.status)
  }
}
