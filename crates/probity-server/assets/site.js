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

  // Articles by keyboard, and marks that need no new page.
  all("[data-keys]").forEach((list) => {
    document.querySelectorAll("[data-keys-hint]").forEach((hint) => { hint.hidden = false; });
    const rows = [...list.children];
    const button = (row, name) => row.querySelector(`button[name=${name}]`);
    const words = { read: ["Mark unread", "Mark read"], starred: ["★ Starred", "☆ Star"] };
    const mark = async (row, name, value) => {
      const answer = await fetch(`/api/articles/${row.dataset.article}/marks`, {
        method: "PUT",
        keepalive: true,
        headers: { "Content-Type": "application/json", "X-Form-Key": formKey },
        body: JSON.stringify({ [name]: value }),
      });
      if (!answer.ok) return false;
      const now = await answer.json();
      row.classList.toggle("seen", now.read);
      for (const each of ["read", "starred"]) {
        button(row, each).value = now[each] ? "no" : "yes";
        button(row, each).textContent = words[each][now[each] ? 0 : 1];
      }
      return true;
    };
    const toggle = (row, name) => mark(row, name, button(row, name).value === "yes");
    list.addEventListener("submit", async (event) => {
      event.preventDefault();
      const pressed = event.submitter;
      const done = await toggle(pressed.closest("li"), pressed.name).catch(() => false);
      // Where that failed, the page that answers the form says why.
      if (!done) event.target.submit();
    });
    list.addEventListener("click", (event) => {
      const row = event.target.closest("a.headline")?.closest("li");
      if (row) mark(row, "read", true).catch(() => {});
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.matches("input, select, textarea, [contenteditable]")) return;
      const here = rows.findIndex((row) => row.contains(document.activeElement));
      const step = { j: 1, k: -1 }[event.key];
      if (step) {
        const next = rows[here < 0 ? 0 : Math.min(Math.max(here + step, 0), rows.length - 1)];
        next.focus();
        next.scrollIntoView({ block: "nearest" });
      } else if (here >= 0 && event.key === "o") {
        const link = rows[here].querySelector("a.headline");
        if (link) window.open(link.href, "_blank", "noopener,noreferrer");
        mark(rows[here], "read", true).catch(() => {});
      } else if (here >= 0 && (event.key === "m" || event.key === "f")) {
        toggle(rows[here], event.key === "m" ? "read" : "starred").catch(() => {});
      } else {
        return;
      }
      event.preventDefault();
    });
  });

  // A list of feeds from a file goes as it is, however long.
  all("form[data-opml]").forEach((form) => {
    const file = form.querySelector("input[type=file]");
    form.querySelector("[data-file]").hidden = false;
    form.addEventListener("submit", async (event) => {
      if (!file.files.length) return;
      event.preventDefault();
      const answer = await fetch("/api/feeds/opml", {
        method: "POST",
        headers: { "Content-Type": "text/x-opml", "X-Form-Key": formKey },
        body: file.files[0],
      });
      const { added, known, problems, detail } = await answer.json();
      const told = document.createElement("p");
      told.className = answer.ok ? "good" : "wrong";
      told.setAttribute("role", answer.ok ? "status" : "alert");
      told.textContent = answer.ok
        ? `${added} added, ${known} there already, ${problems.length} could not be used.` : detail;
      form.before(told);
      form.reset();
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
