extension JavaScript {
  /// A script with a seeded generator, and with comparisons that collect differences.
  ///
  /// Each run of the tests tries the same cases. `verdict()` returns the first differences, or an
  /// empty text.
  static let random = """
    let state = 13;
    const below = count => {
      state = Math.imul(state, 1664525) + 1013904223 >>> 0;
      return Math.floor(state / 4294967296 * count);
    };
    const oneOf = list => list[below(list.length)];
    const listOf = (count, make) => Array.from({ length: count }, (_, place) => make(place));
    const wrong = [];
    const expectSame = (found, expected, what) => {
      const [one, other] = [found, expected].map(value =>
        JSON.stringify(ArrayBuffer.isView(value) ? [...value] : value));
      if (one !== other) wrong.push(`${what}: ${one}, not ${other}`);
    };
    const verdict = () => wrong.slice(0, 3).join('; ');
    """
}
