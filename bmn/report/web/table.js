"use strict";
/*
 * A table for two: each seat taps its own stack when it must play. House rules: a game that
 * reaches 3,000 tricks or a position that was there before stops, and whoever holds more cards
 * wins it. The first lead is drawn, then it alternates.
 */
(() => {
  const { $, count, plural } = Page;
  const STOP_TRICKS = 3000;
  const DELAY = 550; // milliseconds before the computer, or an auto-play switch, taps
  const seats = [0, 1].map((seat) => ({
    place: $(`place${seat}`),
    tap: $(`tap${seat}`),
    auto: $(`auto${seat}`),
  }));
  let match = null; // { bestOf, computer, wins, draws, games, leader }
  let game = null; // { position, seed, seen, result }
  let paused = false;
  let timer = null;

  // ---- the match ------------------------------------------------------------------------------

  function newMatch(event) {
    event.preventDefault();
    match = {
      bestOf: Number($("best-of").value),
      computer: $("opponent").value === "computer",
      wins: [0, 0],
      draws: 0,
      leader: crypto.getRandomValues(new Uint8Array(1))[0] & 1,
    };
    for (const seat of seats) seat.auto.checked = false;
    seats[1].auto.closest("label").hidden = match.computer;
    $("felt").hidden = false;
    deal();
  }

  function deal() {
    const seed = [...crypto.getRandomValues(new Int32Array(2))];
    const hands = Rules.dealSeed(...seed);
    // The first hand of a deal leads, so it goes to whoever leads.
    const position = new Rules.Position(match.leader === 0 ? hands : [hands[1], hands[0]]);
    position.seat = match.leader;
    game = { position, seed, leader: match.leader, seen: new Set(), result: null };
    match.leader = 1 - match.leader;
    setPaused(false);
    $("review").hidden = $("next-game").hidden = true;
    $("felt").focus({ preventScroll: true }); // so that the keys work at once
    complain("");
    watchForStop();
    render();
  }

  const gamesPlayed = () => match.wins[0] + match.wins[1] + match.draws;
  const matchOver = () =>
    gamesPlayed() === match.bestOf || Math.max(...match.wins) > match.bestOf / 2;

  function end(winner, how) {
    game.result = { winner, how };
    if (winner === null) match.draws++;
    else match.wins[winner]++;
    $("next-game").hidden = matchOver();
    $("review").hidden = false;
    $("review").href = `#seed=0x${Rules.seedHex(...game.seed)}`;
    const swapped = game.leader === 1 ? " (seat 2 led, so it is seat 1 there)" : "";
    $("review").textContent = `Watch this deal again${swapped}`;
  }

  /** At the start of a trick: stop at a repeated position or after enough tricks. */
  function watchForStop() {
    const { position, seen } = game;
    if (position.pile.length > 0) return;
    const state = Rules.dealText(position.hands) + position.seat;
    const repeated = seen.has(state);
    seen.add(state);
    if (!repeated && position.resolved < STOP_TRICKS) return;
    const [one, two] = position.hands.map((hand) => hand.length);
    const why = repeated ? "This position was there before" : `After ${count(STOP_TRICKS)} tricks`;
    const held = `seat 1 holds ${one} and seat 2 holds ${two} cards`;
    end(one === two ? null : one > two ? 0 : 1, `${why}: the game stops; ${held}.`);
  }

  // ---- playing --------------------------------------------------------------------------------

  const over = () => game === null || game.result !== null;
  const plays = (seat) => (match.computer && seat === 1) || seats[seat].auto.checked;

  /** Why a seat may not tap now, or an empty string. */
  function refusal(seat) {
    if (over()) return "This game is over.";
    if (paused) return "The game is paused.";
    const { position } = game;
    if (position.seat === seat) return "";
    return `Seat ${seat + 1} may not play now. ${Page.sayTurn(position)}`;
  }

  function tap(seat) {
    const why = refusal(seat);
    complain(why);
    if (why) return;
    const { position } = game;
    if (!position.play()) end(position.winner, Page.sayEnd(position));
    else if (position.hands[position.seat].length === 0) {
      // Nothing can be tapped any more, so the loss is told at once.
      position.play();
      end(position.winner, Page.sayEnd(position));
    } else watchForStop();
    render();
  }

  function tapped(seat) {
    if (match?.computer && seat === 1 && !over()) complain("The computer plays this stack.");
    else if (match) tap(seat);
  }

  /** Let the computer or a switch play, while the page can be seen. */
  function schedule() {
    clearTimeout(timer);
    if (over() || paused || document.hidden) return;
    const { seat } = game.position;
    if (plays(seat)) timer = setTimeout(() => tap(seat), DELAY);
  }

  function setPaused(now) {
    paused = now;
    $("pause").textContent = paused ? "Go on" : "Pause";
  }

  // ---- showing it -----------------------------------------------------------------------------

  const complain = (why) => ($("why").textContent = why);

  function render() {
    const { position, result } = game;
    seats.forEach(({ place, tap }, seat) => {
      const cards = position.hands[seat].length, turn = !over() && position.seat === seat;
      place.querySelector(".n").textContent = plural(cards, "card");
      tap.classList.toggle("turn", turn);
      tap.setAttribute("aria-disabled", !turn || paused);
    });
    const took = position.last?.took;
    const pile = took && position.ending === null ? took.cards : position.pile;
    Page.showCards($("felt-pile"), pile);
    $("felt-pile").classList.toggle("taken", pile !== position.pile);
    const said = Page.sayCards(pile.map(({ card }) => card));
    $("felt-pile").setAttribute("aria-label", `The pile, first card first: ${said}`);
    $("owes").textContent = result ? result.how : paused ? "Paused." : Page.sayTurn(position);
    $("score").textContent = score();
    $("pause").disabled = over();
    schedule();
  }

  function score() {
    const [one, two] = match.wins;
    const { position } = game;
    const trick = `Trick ${count(position.trick)} · card play ${count(position.cardPlays)}`;
    const games = `${one}–${two}${match.draws ? `, ${match.draws} drawn` : ""}`;
    const best = match.bestOf === 3 ? `Best of three, ${games}` : "";
    if (!game.result) return [best, trick].filter(Boolean).join(" · ");
    const { winner } = game.result;
    const won = winner === null ? "The game is drawn." : `Seat ${winner + 1} wins the game.`;
    if (match.bestOf === 1) return won;
    if (!matchOver()) return `${won} ${best}`;
    const whole = one === two ? "The match is drawn" : `Seat ${one > two ? 1 : 2} wins the match`;
    return `${won} ${whole}, ${games}.`;
  }

  $("match").addEventListener("submit", newMatch);
  $("next-game").addEventListener("click", deal);
  $("pause").addEventListener("click", () => {
    setPaused(!paused);
    complain("");
    render();
  });
  seats.forEach(({ tap: button, auto }, seat) => {
    button.addEventListener("click", () => tapped(seat));
    auto.addEventListener("change", schedule);
  });
  document.addEventListener("visibilitychange", () => game && schedule());
  $("table").addEventListener("keydown", (event) => {
    const seat = { a: 0, l: 1 }[event.key.toLowerCase()];
    if (event.target.matches("select")) return; // there a letter chooses
    if (seat !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) tapped(seat);
  });
})();
