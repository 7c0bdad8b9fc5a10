extension Pond {
  /// The version of this package, as its programs say it: `pond --version`.
  ///
  /// It follows [Semantic Versioning](https://semver.org). What ends in `-dev` is on its way to
  /// that version.
  public static let packageVersion = "0.1.0-dev"
}
