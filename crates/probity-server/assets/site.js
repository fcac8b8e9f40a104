"use strict";
(() => {
  // Reading and correcting need none of this. It follows runs, filters tables and shows effects early.
  const all = (selector) => [...document.querySelectorAll(selector)];
  const formKey = document.querySelector("meta[name=form-key]")?.content ?? "";

  // A run under way: rows come as they are drawn by the server.
  const main = document.querySelector("main[data-live]");
  if (main) {
    const put = ({ stage, id, html }) => {
      const box = document.createElement("template");
      box.innerHTML = html;
      const row = box.content.firstElementChild;
      const old = document.getElementById(id);
      if (old) {
        old.replaceWith(row);
      } else {
        row.classList.add("new");
        document.getElementById(`stage-${stage}`)?.append(row);
      }
    };
    const say = (id, text) => {
      const place = document.getElementById(id);
      if (place && text && place.textContent !== text) place.textContent = text;
    };
    // How long it has been under way, from the server's count; a run that waits begins with its first row.
    const elapsed = document.getElementById("elapsed");
    const told = elapsed.dataset.seconds;
    let began = told === "" ? null : performance.now() - told * 1000;
    const lasted = (seconds) => seconds < 60 ? `${seconds} s`
      : seconds < 3600 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
        : `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`;
    setInterval(() => {
      if (began !== null) say("elapsed", lasted(Math.floor((performance.now() - began) / 1000)));
    }, 1000);
    const source = new EventSource(`${main.dataset.live}?after=${main.dataset.after}`);
    source.addEventListener("rows", (event) => {
      const { rows, now, spent } = JSON.parse(event.data);
      document.getElementById("waiting")?.remove();
      began ??= performance.now();
      rows.forEach(put);
      say("now", now);
      say("spent", spent);
    });
    source.addEventListener("end", () => {
      source.close();
      location.reload();
    });
  }

  // Filter a table as one types.
  all("[data-filter]").forEach((field) => {
    const rows = () => all(`${field.dataset.filter} tbody tr`);
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      rows().forEach((row) => {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      });
    });
  });

  // Arrow keys walk through the rows of a table.
  all("table.list").forEach((table) => {
    table.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const row = event.target.closest("tbody tr");
      if (!row || event.target.matches("input, select, textarea")) return;
      let next = row;
      do {
        next = event.key === "ArrowDown" ? next.nextElementSibling : next.previousElementSibling;
      } while (next?.hidden);
      const link = next?.querySelector("a, button");
      if (link) {
        event.preventDefault();
        link.focus();
      }
    });
  });

  // A table as a file. A cell that a spreadsheet would run is kept a text.
  all("[data-csv]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      const cell = (text) => {
        const plain = text.trim().replace(/\s+/g, " ");
        const safe = /^[=+\-@\t]/.test(plain) ? `'${plain}` : plain;
        return `"${safe.replaceAll('"', '""')}"`;
      };
      const rows = all(`${button.dataset.csv} tr`).filter((row) => !row.hidden);
      const lines = rows.map((row) =>
        [...row.cells].map((c) => cell(c.dataset.key ?? c.textContent)).join(","));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" }));
      link.download = `${button.dataset.csv.slice(1)}.csv`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  });

  // What a coding would do, shown as soon as a code is chosen.
  all("form[data-coding]").forEach((form) => {
    form.addEventListener("change", async (event) => {
      if (event.target.name !== "codes") return;
      const outlet = form.dataset.coding;
      const answer = await fetch(`/api/outlets/${encodeURIComponent(outlet)}/codings`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Form-Key": formKey },
        body: JSON.stringify({ codes: [event.target.value], new: true, dry_run: true }),
      });
      const { before, after, band, research, detail } = await answer.json();
      const effect = document.getElementById("effect");
      const show = (score) => score.toFixed(3);
      effect.textContent = answer.ok
        ? `${outlet} ${show(before)} → ${show(after)}, ${band}; ` +
          `in research ${research.authority.toFixed(2)}: ${research.explanation}` : detail;
      document.getElementById("save").hidden = !answer.ok;
    });
  });
})();
