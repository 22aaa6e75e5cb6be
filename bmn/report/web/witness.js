"use strict";
/* The third witness: replays the record, the published records and the battery, and shows it. */
(() => {
  const { data, $, el, count, plural } = Page;
  const pause = () => new Promise((resolve) => setTimeout(resolve));
  const mark = (agrees) => (agrees ? "✓ agrees" : "✗ differs");

  /** Play a written deal twice, by the fast loop and move by move; both must come out alike. */
  function playTwice(text) {
    const hands = Rules.parseDeal(text);
    const player = new Rules.Player(hands[0].length + hands[1].length);
    player.playHands(...hands, Rules.DEFAULT_CAP);
    const slow = new Timeline(hands);
    const agree =
      slow.tricks === player.tricks &&
      slow.plays === player.cardPlays &&
      slow.winner === player.winner &&
      slow.ending === Rules.ENDINGS[player.ending];
    return { slow, agree };
  }

  function replayRecord() {
    const { record } = data;
    if (!record) {
      $("replay").textContent = "There is no record to replay.";
      return;
    }
    const dealt = Rules.dealText(Rules.dealSeed(...Rules.parseSeed(record.seed), data.run.deck));
    const { slow, agree } = playTwice(record.deal);
    const same =
      agree &&
      dealt === record.deal &&
      slow.tricks === record.tricks &&
      slow.plays === record.card_plays &&
      slow.winner === record.winner &&
      slow.ending === record.ending;
    $("replay").replaceChildren(
      el(
        "p",
        { class: same ? "good" : "bad" },
        el("b", {}, `${mark(same)}: the record, dealt from its seed and replayed here`),
      ),
      el(
        "p",
        {},
        `Your browser deals ${dealt === record.deal ? "the same cards" : "OTHER cards"} and counts ` +
          `${plural(slow.tricks, "trick")} and ${plural(slow.plays, "card play")}; seat ` +
          `${slow.winner + 1} wins. The workflow says ${plural(record.tricks, "trick")}, ` +
          `${plural(record.card_plays, "card play")}, seat ${record.winner + 1}.`,
      ),
    );
    $("replay").dataset.agrees = same;
  }

  function replayPublished() {
    for (const row of document.querySelectorAll("#published tbody tr")) {
      const { slow, agree } = playTwice(row.dataset.deal);
      const { tricks, cards } = slow.mann;
      const same =
        agree && tricks === Number(row.dataset.tricks) && cards === Number(row.dataset.cards);
      const [tricksCell, cardsCell] = row.querySelectorAll(".here");
      tricksCell.textContent = count(tricks);
      cardsCell.textContent = count(cards);
      const cell = row.querySelector(".agrees");
      cell.textContent = mark(same);
      cell.className = `agrees ${same ? "good" : "bad"}`;
    }
  }

  // ---- the battery ----------------------------------------------------------------------------

  const body = $("battery").tBodies[0];
  const lines = data.battery.map((row) => {
    const games = row.stated ? row.stated.length : row.deals;
    const found = el("code", {}, "…"), verdict = el("td");
    const line = el(
      "tr",
      {},
      verdict,
      el("td", {}, row.name),
      el("td", { class: "num" }, count(games)),
      el("td", {}, el("code", {}, row.reference)),
      el("td", {}, el("code", {}, row.engine)),
      el("td", {}, found),
    );
    body.append(line);
    return { line, found, verdict };
  });

  let run = 0; // a newer run makes an older one stop

  async function playBattery() {
    const broken = $("break").checked, mine = ++run;
    const demands = broken ? Rules.ACE_DEMANDS_NOTHING : Rules.DEMANDS;
    const started = performance.now();
    $("battery-verdict").textContent = "Playing the battery…";
    body.dataset.state = "playing";
    let red = 0, asExpected = 0;
    for (const [i, row] of data.battery.entries()) {
      const { line, found, verdict } = lines[i];
      const fingerprint = Battery.fingerprint(row, demands);
      const agrees = fingerprint === row.reference && fingerprint === row.engine;
      if (!agrees) red++;
      if (fingerprint === (broken ? row.broken : row.reference)) asExpected++;
      found.textContent = fingerprint;
      line.classList.toggle("red", !agrees);
      found.parentElement.classList.toggle("differs", !agrees);
      verdict.textContent = mark(agrees);
      verdict.className = agrees ? "good" : "bad";
      await pause();
      if (mine !== run) return;
    }
    const rows = data.battery.length, aces = data.battery.filter((row) => row.hasAce).length;
    const all = asExpected === rows;
    $("battery-verdict").className = `verdict ${broken ? "bad" : all && !red ? "good" : "bad"}`;
    $("battery-verdict").textContent = broken
      ? `${red} of ${rows} rows are red, ${red === aces ? "exactly" : "but not"} the ` +
        `${plural(aces, "row")} with an Ace. ` +
        (all
          ? "All fingerprints are those of the workflow’s own broken control."
          : "They are not those of the workflow’s broken control.")
      : red === 0
        ? `All ${rows} rows agree: engine, reference and your browser, in ` +
          `${count(performance.now() - started)} ms.`
        : `${red} of ${rows} rows differ.`;
    body.dataset.state = broken ? "broken" : "right";
  }

  $("break").addEventListener("change", playBattery);

  // Once the page has been painted.
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (data.run.playable) replayRecord();
      replayPublished();
      playBattery();
    }),
  );
})();
