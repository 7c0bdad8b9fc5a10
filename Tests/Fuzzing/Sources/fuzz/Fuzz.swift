import Fuzzing

/// The program that runs the fuzz targets that need no other packages.
@main struct Fuzz {
  static func main() {
    FuzzTarget.run([.models, .runs, .conditions, .journals, .commands, .pages])
  }
}
