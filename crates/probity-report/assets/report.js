
"use strict";
(() => {
  // Reading needs none of this: the style sheet opens the evidence. This adds keys, taps and sorting.
  const root = document.documentElement;
  root.classList.add("js");
  const cites = [...document.querySelectorAll("a.cite")];

  const open = (cite) => {
    document.querySelectorAll(".ref.closed").forEach((ref) => ref.classList.remove("closed"));
    cite.focus({ preventScroll: false });
  };

  document.addEventListener("keydown", (event) => {
    const ref = event.target.closest?.(".ref");
    if (!ref) return;
    const cite = ref.querySelector("a.cite");
    if (event.key === "Escape") {
      cite.focus();
      ref.classList.add("closed");
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const next = cites[cites.indexOf(cite) + (event.key === "ArrowRight" ? 1 : -1)];
      if (next) {
        event.preventDefault();
        open(next);
      }
    }
  });
  document.addEventListener("focusout", (event) => {
    const ref = event.target.closest?.(".ref");
    if (ref && !ref.contains(event.relatedTarget)) ref.classList.remove("closed");
  });

  // A first tap shows the evidence; a second one goes to the source.
  let touched = null;
  document.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch" ? document.activeElement : null;
  });
  cites.forEach((cite) => {
    cite.addEventListener("click", (event) => {
      if (touched !== null && touched !== cite) {
        event.preventDefault();
        open(cite);
      }
    });
  });

  document.querySelectorAll("table.sources th button, table.sortable th button").forEach((button) => {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const column = [...head.parentNode.children].indexOf(head);
      const down = head.getAttribute("aria-sort") === "ascending";
      const numeric = head.dataset.type === "number";
      const key = (row) => row.children[column].dataset.key;
      const body = head.closest("table").tBodies[0];
      const rows = [...body.rows].sort((a, b) =>
        numeric ? key(a) - key(b) : key(a).localeCompare(key(b)));
      if (down) rows.reverse();
      head.parentNode.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...rows);
    });
  });

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    opened.forEach((part) => { part.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((part) => { part.open = false; }));
})();
