#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The program `pond`, which reads ponds and runs from files and answers questions about them. Its
/// commands are in `Commands/`; this type writes their answers.
@main
struct PondCommand {
  static func main() {
    // With these signals ignored, a write to a closed pipe, or beyond the file size limit, returns
    // an error instead of killing the program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // If a standard stream is closed, the next file to be opened would get its number, and output
    // would be written into that file. The replacement is not writable, so a lost answer is an
    // error.
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
      // Standard output comes first, because it is the answer; writing a file may fail.
      try SystemFile.print(result.output)
      for file in result.files {
        try SystemFile.write(file.text, to: file.path, appending: file.isAppended)
      }
    } catch {
      SystemFile.printError("pond: \(error)\n")
      exit(2)
    }
    SystemFile.printError(result.error)
    exit(result.status)
  }
}
