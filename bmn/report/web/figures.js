"use strict";
/*
 * Draws the pictures with Vega when they come near, in the colours of the theme. Vega itself
 * waits in the page as text until then, so that the page opens without it.
 */
(() => {
  const { data, $, colour, onTheme } = Page;
  const boxes = [...document.querySelectorAll("[data-picture]")];
  if (boxes.length === 0) return;

  let loaded = false;
  function loadVega() {
    if (loaded) return;
    loaded = true;
    const script = document.createElement("script");
    // The bundle is a module's text; in a function of its own, its names stay its own.
    script.textContent = `(() => {${$("vega-js").textContent}\n})();`;
    document.body.append(script);
  }

  /** Fill in the colours written @name. */
  function painted(spec) {
    if (Array.isArray(spec)) return spec.map(painted);
    if (spec && typeof spec === "object") {
      return Object.fromEntries(Object.entries(spec).map(([key, value]) => [key, painted(value)]));
    }
    return typeof spec === "string" && spec.startsWith("@") ? colour(spec.slice(1)) : spec;
  }

  const drawn = new Map(); // box: its Vega view

  async function draw(box) {
    loadVega();
    const spec = painted(data.pictures[box.dataset.picture]);
    const { view } = await window.vegaEmbed(box, spec, {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      ast: true, // expressions are interpreted, so the page needs no eval
      tooltip: { theme: Page.dark() ? "dark" : "light" },
    });
    drawn.get(box)?.finalize();
    drawn.set(box, view);
    // One image with one name; a screen reader is given the table of values instead of marks.
    box.querySelector("svg").setAttribute("aria-hidden", "true");
    box.dataset.drawn = "true";
  }

  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        draw(target);
      }
    },
    { rootMargin: "600px" },
  );
  boxes.forEach((box) => near.observe(box));
  onTheme(() => [...drawn.keys()].forEach(draw));
  window.addEventListener("beforeprint", () => boxes.forEach((box) => drawn.has(box) || draw(box)));
})();
