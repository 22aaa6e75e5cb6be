"use strict";
/*
 * The instrument: one deal, move by move. Chosen by preset, seed or hand; stepped, played,
 * scrubbed; and written into the fragment of the page's address, so that a moment can be linked.
 */
const Instrument = (() => {
  const { $, count, plural } = Page;
  const panel = $("instrument"), scrub = $("scrub");
  const strip = new Strip($("strip"));
  let timeline = null;
  let source = ""; // what the fragment says of the deal: seed=… or deal=…
  let now = 0; // cards laid
  let lap = 1; // through the cycle of a game that never ends
  let timer = null;

  // ---- choosing a deal ------------------------------------------------------------------------

  const presets = Page.data.presets.flatMap((group) => group.items);
  const fragmentOf = ({ seed, deal }) => (seed ? `seed=${seed}` : `deal=${deal}`);
  for (const group of Page.data.presets) {
    const box = Page.el("optgroup", { label: group.group });
    for (const item of group.items) {
      box.append(Page.el("option", { value: presets.indexOf(item) }, item.name));
    }
    $("preset").append(box);
  }
  const own = Page.el("option", { value: "", hidden: "" }, "your own");
  $("preset").append(own); // shown, and never chosen, when the deal is none of these

  /** Show a deal written as a seed or as two hands; throws a plain sentence if it is neither. */
  function show(text, at = 0) {
    const trimmed = text.trim();
    if (trimmed === "") throw new Error("Write a seed or a deal.");
    let hands;
    if (/^[0-9]/.test(trimmed)) {
      const seed = Rules.parseSeed(trimmed);
      hands = Rules.dealSeed(...seed);
      source = `seed=0x${Rules.seedHex(...seed)}`;
    } else {
      hands = Rules.parseDeal(trimmed);
      source = `deal=${Rules.dealText(hands)}`;
    }
    pause();
    timeline = new Timeline(hands);
    lap = 1;
    scrub.max = timeline.plays;
    $("jump").max = Math.max(1, timeline.starts.length);
    $("deal").value = trimmed;
    const same = presets.findIndex((item) => source === fragmentOf(item));
    $("preset").value = same < 0 ? "" : same;
    strip.show(timeline);
    $("outcome").textContent = outcome();
    $("legend-end").textContent = timeline.cycle
      ? "from left to right: the way in, and one lap"
      : `from left to right: ${plural(timeline.plays, "card play")}`;
    go(at);
  }

  function outcome() {
    const { ending, tricks, plays, winner, cycle, mann } = timeline;
    if (cycle) {
      const first = cycle.start === 0 ? "at once" : `after ${plural(cycle.start, "trick")}`;
      return (
        `This game never ends: ${first} it enters a cycle of ${plural(cycle.period, "trick")} ` +
        `and ${plural(timeline.periodPlays, "card play")}.`
      );
    }
    if (ending === "capped") {
      return `Still undecided after ${plural(tricks, "trick")}; that does not prove a cycle.`;
    }
    const counted =
      ending === "capture"
        ? ` (${plural(mann.tricks, "trick")}, ${plural(mann.cards, "card")} in Mann’s convention)`
        : "";
    return (
      `${plural(tricks, "trick")}, ${plural(plays, "card play")}${counted}. ` +
      `Seat ${winner + 1} wins.`
    );
  }

  function choose(event) {
    event.preventDefault();
    const field = $("deal");
    try {
      show(field.value);
      complain("");
    } catch (error) {
      complain(error.message);
      field.focus();
    }
  }

  function complain(sentence) {
    $("deal-error").textContent = sentence;
    $("deal").setAttribute("aria-invalid", sentence !== "");
  }

  $("choose").addEventListener("submit", choose);
  $("preset").addEventListener("change", () => {
    const item = presets[$("preset").value];
    show(item.seed ?? item.deal);
    complain("");
  });

  // ---- moving through it ----------------------------------------------------------------------

  /** Go to the moment after so many cards and show it. */
  function go(plays) {
    now = Math.max(0, Math.min(timeline.plays, Math.round(plays) || 0));
    render();
  }

  const cycleStart = () => timeline.starts[timeline.cycle.start].plays;

  /** One card on; past the end of a cycle's lap the next lap begins. False at the end. */
  function forward() {
    if (now < timeline.plays) now++;
    else if (timeline.cycle) {
      now = cycleStart() + 1;
      lap++;
    } else return false;
    return true;
  }

  function back() {
    if (timeline.cycle && lap > 1 && now === cycleStart() + 1) {
      now = timeline.plays;
      lap--;
    } else if (now > 0) now--;
  }

  function play() {
    if (timer !== null) return;
    if (now === timeline.plays && !timeline.cycle) now = 0;
    $("play").textContent = "Pause";
    let before = performance.now(), due = 0;
    const tick = (time) => {
      due += (Math.min(time - before, 250) / 1000) * Number($("speed").value);
      before = time;
      let more = true;
      const moved = due >= 1;
      for (; due >= 1 && more; due--) more = forward();
      if (moved) render();
      if (!more || (now === timeline.plays && !timeline.cycle)) pause();
      else timer = requestAnimationFrame(tick);
    };
    timer = requestAnimationFrame(tick);
  }

  function pause() {
    if (timer === null) return;
    cancelAnimationFrame(timer);
    timer = null;
    $("play").textContent = "Play";
    render();
  }

  const toggle = () => (timer === null ? play() : pause());
  const stop = (then) => () => {
    pause();
    then();
    render();
  };
  const step = stop(() => forward());
  const stepBack = stop(back);
  const toStart = stop(() => ((now = 0), (lap = 1)));
  const toEnd = stop(() => (now = timeline.plays));
  const toTrick = (trick) => {
    const index = Math.max(0, Math.min(timeline.starts.length - 1, trick));
    now = timeline.starts[index].plays;
  };
  const nextTrick = stop(() => {
    const next = timeline.starts[timeline.trickAt(now) + 1];
    now = next ? next.plays : timeline.plays;
  });
  const previousTrick = stop(() => {
    const trick = timeline.trickAt(now);
    toTrick(timeline.starts[trick].plays === now ? trick - 1 : trick);
  });
  const faster = (by) => {
    const speed = $("speed");
    speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + by));
  };

  $("play").addEventListener("click", toggle);
  $("step").addEventListener("click", step);
  $("back").addEventListener("click", stepBack);
  $("to-start").addEventListener("click", toStart);
  $("to-end").addEventListener("click", toEnd);
  scrub.addEventListener("input", () => {
    pause();
    go(Number(scrub.value));
  });
  $("jump").addEventListener("change", stop(() => toTrick(Number($("jump").value) - 1)));
  $("copy-link").addEventListener("click", () => {
    writeFragment();
    Page.copy(location.href, $("copy-link"));
  });

  const KEYS = {
    " ": toggle,
    ArrowRight: step,
    ArrowLeft: stepBack,
    "Shift+ArrowRight": nextTrick,
    "Shift+ArrowLeft": previousTrick,
    Home: toStart,
    End: toEnd,
    "+": () => faster(1),
    "-": () => faster(-1),
  };
  panel.addEventListener("keydown", (event) => {
    const onField = event.target.matches("input:not([type=range]), select");
    const pressing = event.target.matches("button") && event.key === " ";
    const name = (event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key;
    if (onField || pressing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(name in KEYS)) return;
    event.preventDefault();
    KEYS[name]();
  });

  // ---- showing a moment -----------------------------------------------------------------------

  function render() {
    const game = timeline.at(now);
    const paused = timer === null;
    const laps = timeline.cycle ? (lap - 1) * timeline.periodPlays : 0;
    const trick = game.last?.took || game.ending !== null ? game.resolved : game.trick;
    $("count").textContent =
      `Trick ${count(shownTrick(game))} · card play ${count(now + laps)}` +
      (timeline.cycle ? "" : ` of ${count(timeline.plays)}`);
    const status = explain(game);
    $("status").textContent = status;
    [0, 1].forEach((seat) => {
      const side = $(`side${seat}`);
      const cards = game.hands[seat];
      side.querySelector(".n").textContent = count(cards.length);
      side.classList.toggle("turn", game.ending === null && game.seat === seat);
      const stack = side.querySelector(".stack");
      Page.showCards(stack, cards.map((card) => ({ card })));
      if (paused) stack.setAttribute("aria-label", `Top card first: ${Page.sayCards(cards)}`);
    });
    const took = game.last?.took;
    const shown = took && game.ending === null ? took.cards : game.pile;
    Page.showCards($("pile"), shown);
    $("pile").classList.toggle("taken", Boolean(took && game.ending === null));
    document.querySelector(".board .pile .n").textContent = count(shown.length);
    if (paused) {
      const cards = Page.sayCards(shown.map(({ card }) => card));
      $("pile").setAttribute("aria-label", `The pile, first card first: ${cards}`);
      $("announce").textContent = status;
      writeFragment();
      $("jump").value = timeline.trickAt(now) + 1;
    }
    scrub.value = now;
    scrub.setAttribute("aria-valuetext", `card play ${now} of ${timeline.plays}, trick ${trick}`);
    strip.mark(now);
  }

  /** The trick a moment is told to be in: the one just taken, as long as its pile is shown. */
  function shownTrick(game) {
    const passed = timeline.cycle ? (lap - 1) * timeline.cycle.period : 0;
    return passed + (game.last?.took && game.ending === null ? game.resolved : game.trick);
  }

  /** Say in a sentence who must do what, and why. */
  function explain(game) {
    if (game.ending !== null) return Page.sayEnd(game);
    if (timeline.cycle && now === timeline.plays) {
      const { start, period } = timeline.cycle;
      return (
        `This is exactly the position ${start === 0 ? "at the start" : `after trick ${start}`}: the ` +
        `same hands in the same order, and seat ${game.seat + 1} to lead. So it comes back every ` +
        `${plural(period, "trick")}, for ever.`
      );
    }
    if (timeline.ending === "capped" && now === timeline.plays) {
      return `Given up here, undecided after ${plural(timeline.tricks, "trick")}.`;
    }
    return Page.sayTurn(game);
  }

  // ---- the address ----------------------------------------------------------------------------

  let written = ""; // the fragment this page wrote last, so that it does not answer itself

  function writeFragment() {
    written = `#${source}&at=${now}`;
    if (ready) history.replaceState(null, "", written);
  }

  /** Show what the fragment asks for: #seed=0x…&at=… or #deal=…&at=…; true if it is one. */
  function readFragment() {
    const fragment = decodeURIComponent(location.hash.slice(1));
    const match = /^(?:seed|deal)=([^&]*)(?:&at=(\d+))?$/.exec(fragment);
    if (!match || location.hash === written) return false;
    try {
      show(match[1], Number(match[2] ?? 0));
      complain("");
    } catch (error) {
      $("deal").value = match[1];
      complain(error.message);
      if (timeline === null) show(presets[0].seed ?? presets[0].deal);
    }
    $("watch").scrollIntoView();
    return true;
  }

  let ready = false; // until then the address is left as it is
  if (!readFragment()) show(presets[0].seed ?? presets[0].deal);
  ready = true;
  window.addEventListener("hashchange", readFragment);

  $("watch-record")?.addEventListener("click", () => {
    const [{ seed, deal }] = presets; // the longest comes first
    show(seed ?? deal);
    panel.focus({ preventScroll: true });
    play();
  });
  return { show };
})();
