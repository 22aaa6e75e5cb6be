"use strict";
/* What every part of the page uses: its data, elements, numbers, cards, colours, the fragment. */
const Page = (() => {
  const data = JSON.parse(document.getElementById("page-data").textContent);
  const $ = (id) => document.getElementById(id);

  /** Make an element: `el("td", { class: "num" }, "12", el("b"))`. */
  function el(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  const count = (n) => n.toLocaleString("en-US", { maximumFractionDigits: 0 });
  const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
  const NAMES = ["a plain card", "a jack", "a queen", "a king", "an ace"];

  /**
   * Show cards in an element, reusing what is there.
   * @param cards { card, seat } each; with a seat, a line below the card says who played it
   */
  function showCards(stack, cards) {
    while (stack.children.length > cards.length) stack.lastChild.remove();
    while (stack.children.length < cards.length) stack.append(document.createElement("i"));
    cards.forEach(({ card, seat }, i) => {
      const tile = stack.children[i];
      const symbol = card === 0 ? "" : Rules.SYMBOLS[card];
      const name = `card c${symbol || "-"}${seat === undefined ? "" : ` by${seat}`}`;
      if (tile.className !== name) {
        tile.className = name;
        tile.textContent = symbol;
      }
    });
  }

  /** Say cards for a screen reader: "3 plain, king, 2 plain, ace". */
  function sayCards(values) {
    const parts = [];
    for (let i = 0; i < values.length; ) {
      let n = 1;
      while (values[i] === 0 && values[i + n] === 0) n++;
      parts.push(values[i] === 0 ? `${n} plain` : NAMES[values[i]].split(" ").pop());
      i += n;
    }
    return parts.join(", ") || "no cards";
  }

  /** Say who must do what, and why, in a game that is not over. */
  function sayTurn(game) {
    const who = `Seat ${game.seat + 1}`, other = `seat ${2 - game.seat}`;
    if (game.pile.length === 0) {
      const took = game.last?.took;
      if (!took) return `${who} leads.`;
      return `The debt is paid: ${who.toLowerCase()} takes ${plural(took.cards.length, "card")} and leads.`;
    }
    if (game.owed === 0) return `${who} plays; nothing is owed.`;
    const { card } = game.penalty;
    const paid = game.demands[card] - game.owed;
    const name = NAMES[card].split(" ").pop();
    return (
      `${who} owes ${plural(game.owed, "card")} for ${other}’s ${name}` +
      `${paid > 0 ? `, ${paid} paid` : ""}.`
    );
  }

  /** Say how a game that is over ended. */
  function sayEnd(game) {
    const how =
      game.ending === "capture"
        ? "had no card left when this trick began"
        : "has no card left to play";
    return `Seat ${game.seat + 1} ${how}: seat ${2 - game.seat} wins.`;
  }

  // ---- colours ------------------------------------------------------------------------------

  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const watchers = [];
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const colour = (name) => data.palette[name][dark() ? 1 : 0];
  const onTheme = (react) => watchers.push(react);
  const THEMES = { system: "as the system", light: "light", dark: "dark" };

  /** Put on a theme; every click on the button then changes what is seen. */
  function setTheme(theme) {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    $("theme").setAttribute("aria-label", `Colours: ${THEMES[theme]}`);
    $("theme").title = `Colours: ${THEMES[theme]}`;
    watchers.forEach((react) => react());
  }

  $("theme").addEventListener("click", () => {
    const other = dark() ? "light" : "dark";
    setTheme((other === "dark") === system.matches ? "system" : other);
  });
  system.addEventListener("change", () => watchers.forEach((react) => react()));

  // ---- copying --------------------------------------------------------------------------------

  /** Copy text and say so on the button; a page opened from a file may not use the clipboard. */
  async function copy(text, button) {
    const before = button.dataset.label ?? button.textContent;
    button.dataset.label = before;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      const field = el("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      button.textContent = document.execCommand("copy") ? "Copied" : "Not allowed to copy";
      field.remove();
    }
    setTimeout(() => (button.textContent = before), 1500);
  }
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copy(button.dataset.copy, button));
  }

  return {
    data, $, el, count, plural, showCards, sayCards, sayTurn, sayEnd, colour, dark, onTheme, copy,
  };
})();
