"use strict";
/*
 * Search here: the seeds of the run, or others, on one worker a core. Ranges of seeds go to
 * whichever worker is free; every chunk is compared with the workflow's as soon as it is complete.
 */
(() => {
  const { data, $, el, count, plural } = Page;
  const { run, chunks, prefixes } = data;
  if (!run.playable) return; // the search was played by rules that this page does not know
  const SLICE = 16384; // seeds a worker plays between two messages
  const OWN_LIMIT = 1e9; // seeds of one's own choice

  // ---- the form -------------------------------------------------------------------------------

  const sizes = prefixes.map((prefix) => prefix.chunks);
  sizes.forEach((n) => {
    const what = n * run.chunkSize === run.seeds ? "the whole run" : plural(n, "chunk");
    $("search-what").append(
      el("option", { value: n }, `${what}: ${count(n * run.chunkSize)} seeds`),
    );
  });
  $("search-what").append(el("option", { value: "own" }, "others, of my choice"));
  const cores = navigator.hardwareConcurrency || 2;
  for (let n = 1; n <= cores; n++) $("search-workers").append(el("option", { value: n }, n));
  $("search-workers").value = cores;
  const own = () => $("search-what").value === "own";
  $("search-what").addEventListener("change", () => {
    for (const field of document.querySelectorAll("#search .own")) field.hidden = !own();
  });

  /** What the form asks for: the first seed, how many, and the chunks of the run they are. */
  function asked() {
    const runFirst = BigInt(run.firstSeed);
    if (!own()) {
      const n = Number($("search-what").value);
      return { first: runFirst, seeds: n * run.chunkSize, firstChunk: 0, chunks: n };
    }
    const first = BigInt(Rules.seedDecimal(...Rules.parseSeed($("search-first").value)));
    const seeds = Number($("search-count").value.replace(/[,_\s]/g, ""));
    if (!Number.isInteger(seeds) || seeds < 1 || seeds > OWN_LIMIT) {
      throw new Error(`Choose 1 to ${count(OWN_LIMIT)} seeds.`);
    }
    if (first + BigInt(seeds) > 1n << 64n) throw new Error("These seeds go past 2^64 - 1.");
    const offset = first - runFirst, size = BigInt(run.chunkSize);
    const whole = offset >= 0n && offset % size === 0n && seeds % run.chunkSize === 0;
    // Of a very large run the page knows the first chunks only.
    if (whole && offset + BigInt(seeds) <= size * BigInt(chunks.fingerprints.length)) {
      const firstChunk = Number(offset / size);
      return { first, seeds, firstChunk, chunks: seeds / run.chunkSize };
    }
    return { first, seeds, firstChunk: 0, chunks: 0 };
  }

  // ---- a search -------------------------------------------------------------------------------

  let workers = [];
  const source = () =>
    URL.createObjectURL(
      new Blob([$("rules-js").textContent, $("search-worker-js").textContent], {
        type: "text/javascript",
      }),
    );

  function start(event) {
    event.preventDefault();
    let job;
    try {
      job = asked();
      $("search-error").textContent = "";
    } catch (error) {
      $("search-error").textContent = error.message;
      return;
    }
    stop();
    Object.assign(job, { table: new LengthTable(), next: 0, done: 0, differing: 0, agreeing: 0 });
    job.parts = Array.from({ length: job.chunks }, () => ({ seeds: 0, sum: new Rules.Fingerprint() }));
    job.started = performance.now();
    $("search-panel").hidden = false;
    $("search-table-box").hidden = true;
    $("search-verdict").textContent = "";
    $("search-panel").dataset.state = "running";
    $("search-start").disabled = true;
    $("search-cancel").disabled = false;
    $("search-chunks").replaceChildren(...job.parts.map(() => el("i")));
    const url = source();
    workers = Array.from({ length: Number($("search-workers").value) }, () => {
      const worker = new Worker(url);
      worker.onmessage = ({ data: answer }) => {
        receive(job, answer);
        send(job, worker);
      };
      send(job, worker);
      return worker;
    });
    job.workers = workers.length;
    $("search-cancel").onclick = () => {
      stop();
      finish(job, "cancelled");
    };
    report(job);
  }

  /** Give a worker the next range of seeds; a range never crosses the end of a chunk. */
  function send(job, worker) {
    if (job.next >= job.seeds) return;
    const inChunk = job.chunks ? run.chunkSize - (job.next % run.chunkSize) : SLICE;
    const seeds = Math.min(SLICE, inChunk, job.seeds - job.next);
    const seed = Rules.parseSeed(String(job.first + BigInt(job.next)));
    worker.postMessage({ id: job.next, seed, count: seeds, cap: run.cap, deck: run.deck });
    job.next += seeds;
  }

  function receive(job, { id, rows }) {
    const seeds = rows.reduce((sum, row) => sum + row.deals, 0);
    job.table.add(rows, id);
    job.done += seeds;
    if (job.chunks) {
      const index = Math.floor(id / run.chunkSize), part = job.parts[index];
      part.seeds += seeds;
      for (const row of rows) part.sum.add(row.high, row.low);
      if (part.seeds === run.chunkSize) {
        const agrees = part.sum.toString() === chunks.fingerprints[job.firstChunk + index];
        job[agrees ? "agreeing" : "differing"]++;
        $("search-chunks").children[index].className = agrees ? "agrees" : "differs";
      }
    }
    if (job.done === job.seeds) {
      stop();
      finish(job, "done");
    } else report(job);
  }

  function stop() {
    workers.forEach((worker) => worker.terminate());
    workers = [];
    $("search-start").disabled = false;
    $("search-cancel").disabled = true;
  }

  // ---- what it shows --------------------------------------------------------------------------

  const fact = (name, ...value) => el("div", {}, el("dt", {}, name), el("dd", {}, ...value));

  function report(job) {
    const seconds = Math.max(0.001, (performance.now() - job.started) / 1000);
    const rate = job.done / seconds, best = job.table.longest;
    const left = rate > 0 ? `${count((job.seeds - job.done) / rate)} s` : "…";
    const seed = best && (job.first + BigInt(best.first)).toString();
    $("search-progress").value = job.done / job.seeds;
    $("search-facts").replaceChildren(
      fact("Played", `${count(job.done)} of ${count(job.seeds)}`),
      fact("Deals a second", count(rate)),
      fact("a worker", count(rate / job.workers)),
      fact("Longest so far", best ? `${plural(best.tricks, "trick")}` : "…"),
      fact("its seed", best ? el("a", { href: `#seed=${seed}` }, seed) : "…"),
      fact("Time left", job.done === job.seeds ? "none" : left),
    );
    $("search-chunks").setAttribute(
      "aria-label",
      `${job.agreeing} of ${job.chunks} chunks agree, ${job.differing} differ`,
    );
  }

  function finish(job, state) {
    report(job);
    $("search-panel").dataset.state = state;
    const cards = `${count(job.table.total("cardPlays"))} card plays`;
    let verdict, good = true;
    if (job.chunks === 0) {
      verdict = `${cards}; fingerprint ${job.table.fingerprint}. There is nothing to compare: ` +
        "these seeds are not whole chunks of the run.";
    } else if (state === "cancelled") {
      good = job.differing === 0;
      verdict = `Cancelled. Of the chunks completed, ${job.agreeing} agree with the workflow’s and ` +
        `${job.differing} differ.`;
    } else {
      good = job.differing === 0;
      verdict = good
        ? `${cards}. ${job.chunks === 1 ? "The chunk has" : `All ${job.chunks} chunks have`} the ` +
          "workflow’s fingerprint."
        : `${job.differing} of ${plural(job.chunks, "chunk")} have another fingerprint than the workflow’s.`;
      const prefix = job.firstChunk === 0 && prefixes.find(({ chunks: n }) => n === job.chunks);
      if (prefix) {
        const differing = job.table.differences(prefix.table);
        good &&= differing === 0;
        verdict += differing
          ? ` ${plural(differing, "row")} of the length table differ.`
          : ` The length table is the workflow’s, in all ${job.table.rows.size} rows.`;
      }
    }
    $("search-verdict").textContent = verdict;
    $("search-verdict").className = `verdict ${job.chunks === 0 ? "" : good ? "good" : "bad"}`;
    showTable(job);
  }

  function showTable(job) {
    const names = ["Tricks", "Deals", "Card plays", "Captures", "First hand wins", "First seed"];
    const head = el("tr", {}, ...names.map((name) => el("th", { scope: "col", class: "num" }, name)));
    const body = job.table.sorted.map((row) =>
      el(
        "tr",
        {},
        ...[
          row.finished ? count(row.tricks) : `capped at ${count(row.tricks)}`,
          count(row.deals),
          count(row.cardPlays),
          count(row.captures),
          count(row.leaderWins),
          (job.first + BigInt(row.first)).toString(),
        ].map((value) => el("td", { class: "num" }, value)),
      ),
    );
    $("search-table").replaceChildren(el("thead", {}, head), el("tbody", {}, ...body));
    $("search-table-box").hidden = false;
  }

  $("search").addEventListener("submit", start);
})();
