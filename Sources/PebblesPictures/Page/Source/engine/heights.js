/// The heights of rows, most of which are the same. A Fenwick tree contains the differences from
/// the usual height, so finding the offset of a row, or the row at an offset, takes O(log n).
class Heights {
  constructor(count, usual) {
    this.count = count;
    this.usual = usual;
    this.extra = new Map();
    this.tree = null;
  }

  of(row) { return this.usual + (this.extra.get(row) ?? 0); }

  set(row, height) {
    const change = height - this.of(row);
    if (!change) return;
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

  rowAt(offset) {
    let row = 0, left = offset;
    if (!this.tree) row = Math.floor(offset / this.usual);
    else {
      for (let step = 2 ** Math.floor(Math.log2(this.count)); step >= 1; step /= 2) {
        const size = step * this.usual + (this.tree[row + step] ?? Infinity);
        if (row + step > this.count || size > left) continue;
        row += step;
        left -= size;
      }
    }
    return Math.max(0, Math.min(row, this.count - 1));
  }
}
