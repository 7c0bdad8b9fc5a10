import Fuzzing

/// The program that fuzzes the targets that need no other packages.
@main struct Fuzz {
  static func main() {
    FuzzTarget.run([.models, .runs, .conditions, .journals, .commands, .pages])
  }
}
