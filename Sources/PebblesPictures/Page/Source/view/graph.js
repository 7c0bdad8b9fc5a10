// The graph, drawn. Its nodes are links, so they can be reached and followed like any.

class Graph {
  constructor(inspector) {
    this.inspector = inspector;
    this.box = byID('graph');
    this.picture = byID('picture');
    this.scale = 1;
    this.drawn = null;
    inspector.on('view', () => this.show());
    inspector.on('pick', () => this.show());
    inspector.on('rows', () => this.show());
    inspector.on('run', () => this.isShown && this.drawn && this.paint());
    inspector.on('ending', () => this.mark());
    matchMedia('print').addEventListener('change', () => this.resize());
  }

  get isShown() { return this.inspector.view === 'graph'; }

  show() {
    if (!this.isShown) return;
    const { run, picked, listed } = this.inspector, isNew = !this.drawn;
    // A large pond is drawn around the selection, which moves, and as it is listed.
    const isDrawn = this.drawn && (run.count <= wholeGraph
      || this.center === picked && (this.listed === listed
        || run.isLive && this.listed.length === listed.length));
    if (!isDrawn) this.draw(graphPebbles(run, picked, listed));
    const hasMoved = isNew || this.center !== picked;
    this.center = picked;
    this.listed = listed;
    this.mark();
    this.tell();
    if (isNew || !isDrawn && picked < 0) this.fit();
    if (hasMoved && (!isNew || this.scale < 0.5)) this.reveal();
  }

  /// How much of the pond is there.
  tell() {
    const { run, picked, listed } = this.inspector, drawn = this.drawn.model.pebbleNodes;
    const name = picked < 0 ? '' : ` around ${shortened(run.names[picked], 40)}`;
    const isPart = drawn < run.count;
    const text = isPart ? `${grouped(drawn)} of ${counted(run.count)}${name}`
      : listed.length < run.count ? `${grouped(listed.length)} of ${counted(run.count)} stand out` : '';
    setText(byID('drawn'), text);
    byID('drawn').hidden = !text;
  }

  draw(pebbles) {
    const model = new GraphModel(this.inspector.run, pebbles);
    const layout = layOut(model.nodes, model.lines.map(({ from, to }) => [from, to]));
    this.drawn = { model, layout, pebbles };
    this.paint();
    this.resize();
  }

  /// Draws what has its place: anew, while the run goes on.
  paint() {
    const { layout, pebbles } = this.drawn, focused = this.nodes?.indexOf(document.activeElement);
    const model = new GraphModel(this.inspector.run, pebbles);
    this.drawn.model = model;
    this.nodes = model.nodes.map((node, k) => this.node(node, layout.nodes[k]));
    const lines = model.lines.map((line, k) => this.line(line, layout.lines[k]));
    this.picture.replaceChildren(...lines, ...this.nodes);
    this.picture.setAttribute('aria-label', `${counted(pebbles.length)} and what they read`);
    if (focused >= 0) this.nodes[focused]?.focus();
    this.mark();
  }

  resize() {
    if (!this.drawn) return;
    const { width, height } = this.drawn.layout, margin = 20;
    const size = [width + 2 * margin, height + 2 * margin];
    this.picture.setAttribute('viewBox', `${-margin} ${-margin} ${size[0]} ${size[1]}`);
    this.picture.setAttribute('width', size[0] * this.scale);
    this.picture.setAttribute('height', size[1] * this.scale);
  }

  zoom(factor) {
    this.scale = Math.max(0.1, Math.min(4, this.scale / factor));
    this.resize();
  }

  fit() {
    const { width, height } = this.drawn.layout, { clientWidth, clientHeight } = this.box;
    const scale = Math.min(clientWidth / (width + 50), clientHeight / (height + 50), 1);
    this.scale = Math.max(0.1, scale);
    this.resize();
  }

  node({ pebble, name, style, width, height }, { x, y }) {
    const { run } = this.inspector, isPebble = pebble >= 0;
    const content = [
      drawing('rect', {
        width, height, rx: isPebble ? 5 : 9, class: isPebble && run.isGiven(pebble) ? 'given' : '',
      }),
      drawing('text', { x: isPebble ? 25 : 8, y: height / 2 + 4 }, name),
    ];
    const place = `translate(${x - width / 2} ${y - height / 2})`;
    if (!isPebble) return drawing('g', { class: `node ${style ?? ''}`, transform: place }, ...content);
    const isSettled = run.hasRun(pebble) && !run.isOpen(pebble);
    const said = isSettled ? run.ending(pebble) : endNames[run.ends[pebble]];
    content.push(drawing('text', { class: 'mark', x: 8, y: 17 }, run.mark(pebble)));
    return drawing('a', {
      class: `node ${run.style(pebble)}`, href: linkTo(run, pebble), transform: place,
      'data-pebble': pebble, 'aria-label': `${visible(run.names[pebble])} ${said}`,
    }, ...content);
  }

  line({ mask, isTrue, isDecisive }, points) {
    const kind = isDecisive ? 'decisive' : isTrue ? 'true' : 'false';
    const line = drawing('path', { class: `line ${kind}`, d: pathThrough(points) });
    // Solid for success, dotted for failure, dashed for whatever else.
    if (mask === 2) line.classList.add('dotted');
    else if (mask > 1) line.classList.add('dashed');
    return line;
  }

  mark() {
    if (!this.drawn) return;
    const { run, picked, ending, listed } = this.inspector;
    const isListed = new Set(listed);
    this.drawn.model.nodes.forEach(({ pebble }, k) => {
      if (pebble < 0) return;
      const isChanged = ending !== null && ending[pebble] !== run.ends[pebble];
      this.nodes[k].classList.toggle('out', !isListed.has(pebble));
      this.nodes[k].classList.toggle('picked', pebble === picked);
      this.nodes[k].classList.toggle('changed', isChanged);
      if (pebble === picked) this.nodes[k].setAttribute('aria-current', 'true');
      else this.nodes[k].removeAttribute('aria-current');
    });
  }

  reveal() {
    const { model } = this.drawn, { picked } = this.inspector;
    const place = model.nodes.findIndex(({ pebble }) => pebble === picked);
    if (place >= 0) this.nodes[place].scrollIntoView({ block: 'center', inline: 'center' });
  }
}

/// A smooth line through points, with an arrow at its end.
function pathThrough(points) {
  const [start] = points;
  if (points.length === 1) {
    const right = start.x + start.width / 2;
    return `M${right} ${start.y - 5}c22 -14 22 24 0 10`;
  }
  const isForward = points[points.length - 1].x >= start.x, way = isForward ? 1 : -1;
  let x = start.x + way * start.width / 2, { y } = start, path = `M${x} ${y}`;
  points.slice(1).forEach((point, k) => {
    const isLast = k === points.length - 2;
    const end = point.x - way * (point.width / 2 + (isLast ? 2 : 0)), middle = (x + end) / 2;
    path += `C${middle} ${y} ${middle} ${point.y} ${end} ${point.y}`;
    x = end;
    ({ y } = point);
  });
  return `${path}m${-5 * way} -4l${5 * way} 4l${-5 * way} 4`;
}
