// What is asked of the server. Whatever is not wanted any more is aborted, and its answer dropped.

export class Requests {
  constructor(send) {
    this.send = send;
    this.searching = null;
    this.choosing = null;
    this.waiting = null;
    this.pages = new Map();
  }

  search({ visitor, revision, question }) {
    clearTimeout(this.waiting);
    this.searching?.abort();
    for (const page of [...this.pages.keys()]) this.abandonPage({ page });
    this.searching = this.ask('people/search', { visitor, revision, ...question }, {
      came: answer => this.send({ type: 'answered', ...answer }),
      failed: ({ problem, retryAfter }) => this.send(retryAfter > 0
        ? { type: 'delayed', revision, seconds: retryAfter }
        : { type: 'refused', revision, problem }),
    });
  }

  wait({ revision, seconds }) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.send({ type: 'waited', revision }), seconds * 1000);
  }

  rest({ milliseconds }) { setTimeout(() => this.send({ type: 'rested' }), milliseconds); }

  fetchPage({ visitor, revision, page, from, count }) {
    const query = new URLSearchParams({ visitor, revision, from, count });
    const abort = this.ask(`people/rows?${query}`, null, {
      came: ({ rows }) => this.send({ type: 'pageCame', revision, page, rows }),
      failed: ({ problem, isListGone }) =>
        this.send({ type: 'pageFailed', revision, page, problem, isListGone }),
      ended: () => { if (this.pages.get(page) === abort) this.pages.delete(page); },
    });
    this.pages.set(page, abort);
  }

  abandonPage({ page }) {
    this.pages.get(page)?.abort();
    this.pages.delete(page);
  }

  choose({ visitor, revision, seed }) {
    this.choosing?.abort();
    this.choosing = this.ask('people/choose', { visitor, revision, seed }, {
      came: answer => this.send({ type: 'chosen', ...answer }),
      failed: ({ problem }) => this.send({ type: 'choiceFailed', revision, problem }),
    });
  }

  /// Sends a request and gives what aborts it. With a body it is a POST.
  ask(address, body, { came, failed, ended }) {
    const abort = new AbortController(), { signal } = abort;
    const options = body === null ? { signal } : {
      signal, method: 'POST', body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    answerTo(address, options).then(
      answer => { if (!signal.aborted) came(answer); },
      failure => { if (!signal.aborted) failed(failure); },
    ).finally(() => ended?.());
    return abort;
  }
}

/// Why there is no answer, as a sentence.
class Failure extends Error {
  constructor(problem, response) {
    super(problem);
    this.problem = problem;
    this.retryAfter = retryAfter(response);
    // A server that is not ready keeps no lists.
    this.isListGone = response?.status === 410 || this.retryAfter > 0;
  }
}

/// Whether a server that is not ready says when it is to be asked again: in seconds, else 0.
function retryAfter(response) {
  const seconds = response?.status === 503 ? Number(response.headers.get('retry-after')) : 0;
  return seconds > 0 ? Math.min(seconds, 60) : 0;
}

async function answerTo(address, options) {
  const response = await fetch(address, options).catch(() => {
    throw new Failure('The server cannot be reached.');
  });
  const { status } = response, answer = await response.json().catch(() => {
    const problem = `The server answered with ${status}, and nothing that can be read.`;
    throw new Failure(problem, response);
  });
  if (response.ok) return answer;
  throw new Failure(answer.error?.message ?? `The server answered with ${status}.`, response);
}
