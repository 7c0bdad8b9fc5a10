import Foundation
import Synchronization

@main struct Main {
  static func main() {
    do {
      let workplace = Workplace(root: FileManager.default.currentDirectoryPath)
      let words = CommandLine.arguments.dropFirst()
      let arguments = try Arguments(words.dropFirst())
      switch words.first {
      case "make": try MutantBuild(workplace: workplace).make()
      case "reach":
        try Reach(workplace: workplace).record(
          jobs: arguments.number("--jobs") ?? 2, isAnew: arguments.has("--anew"))
      case "play": exit(try Game(workplace, arguments).play() ? 0 : 1)
      case "table": try Game(workplace, arguments).tell()
      default: throw Failure("unknown command: \(words.first ?? "none")")
      }
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(2)
    }
  }
}
