extension Pond {
  /// The version of this package, as printed by `pond --version`.
  ///
  /// Versions follow [Semantic Versioning](https://semver.org). Between two releases, this is the
  /// version of the next release, followed by `-dev`.
  public static let packageVersion = "0.1.0"
}
