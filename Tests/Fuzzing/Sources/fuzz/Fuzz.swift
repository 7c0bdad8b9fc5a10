import Fuzzing

/// The targets that need no packages.
@main struct Fuzz {
  static func main() {
    FuzzTarget.run([.models, .runs, .conditions, .journals, .commands, .pages])
  }
}
