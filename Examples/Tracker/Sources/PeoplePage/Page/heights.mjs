/// Heights of rows, most of them alike, as a Fenwick tree of what is different: the offset of a row
/// and the row at an offset take O(log n).
export class Heights {
  constructor(count, usual) {
    this.count = count;
    this.usual = usual;
    this.extra = new Map();
    this.tree = null;
  }

  of(row) { return this.usual + (this.extra.get(row) ?? 0); }

  set(row, height) {
    const change = height - this.of(row);
    if (change === 0) return;
    this.tree ??= new Float64Array(this.count + 1);
    this.extra.set(row, height - this.usual);
    for (let node = row + 1; node <= this.count; node += node & -node) this.tree[node] += change;
  }

  offset(row) {
    let sum = row * this.usual;
    if (this.tree) for (let node = row; node > 0; node -= node & -node) sum += this.tree[node];
    return sum;
  }

  get total() { return this.offset(this.count); }

  /// The row that covers an offset; the nearest one for offsets outside of all.
  rowAt(offset) {
    let row = 0, rest = offset;
    for (let step = 2 ** Math.floor(Math.log2(this.count || 1)); step >= 1; step /= 2) {
      const next = row + step;
      if (next > this.count) continue;
      const height = step * this.usual + (this.tree?.[next] ?? 0);
      if (height > rest) continue;
      row = next;
      rest -= height;
    }
    return Math.max(0, Math.min(row, this.count - 1));
  }
}
