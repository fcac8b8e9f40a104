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

  // Bringing documents along: chosen or dropped, each sent by itself, so that each tells how far it is
  // and what is wrong with it. Without this the form sends them all at once.
  all("form[data-bring]").forEach((form) => {
    const field = form.querySelector("input[type=file]");
    const list = form.querySelector(".brought");
    const upload = form.querySelector("[name=upload]");
    const most = (name) => Number(form.dataset[name]);
    const button = form.querySelector("button.main");
    let waiting = Promise.resolve();
    let open = 0;
    const line = (file) => {
      const row = document.createElement("li");
      const name = document.createElement("bdi");
      const told = document.createElement("small");
      const bar = document.createElement("progress");
      name.textContent = file.webkitRelativePath || file.name;
      bar.max = 1;
      bar.value = 0;
      bar.setAttribute("aria-label", `Sending ${file.name}`);
      row.append(name, " ", bar, told);
      list.append(row);
      const end = (text, failed) => {
        bar.remove();
        told.textContent = text;
        row.classList.toggle("failed", failed);
        told.classList.toggle("failure", failed);
      };
      return { row, bar, end };
    };
    const removal = (row, id, place) => {
      const take = document.createElement("button");
      take.type = "button";
      take.className = "plain";
      take.textContent = "Remove";
      take.addEventListener("click", async () => {
        const gone = await fetch(`/api/uploads/${id}/documents/${place}`, {
          method: "DELETE", headers: { "X-Form-Key": formKey },
        });
        if (gone.ok) row.remove();
      });
      row.append(" ", take);
    };
    const send = (file, { row, bar, end }) => new Promise((done) => {
      const request = new XMLHttpRequest();
      const body = new FormData();
      body.append("file", file, file.webkitRelativePath || file.name);
      request.open("POST", upload.value ? `/api/uploads/${upload.value}` : "/api/uploads");
      request.setRequestHeader("X-Form-Key", formKey);
      request.responseType = "json";
      request.upload.addEventListener("progress", ({ loaded, total }) => {
        bar.value = total ? loaded / total : 0;
      });
      request.addEventListener("load", () => {
        const told = request.response ?? {};
        const one = told.files?.[0];
        if (one?.place) {
          upload.value = told.upload;
          end(`${one.words.toLocaleString("en")} words`, false);
          row.dataset.place = one.place;
          removal(row, told.upload, one.place);
        } else {
          end(one?.problem?.detail ?? told.detail ?? "it could not be sent", true);
        }
        done();
      });
      request.addEventListener("error", () => {
        end("the connection broke; try again", true);
        done();
      });
      request.send(body);
    });
    const bring = (files) => {
      [...files].forEach((file) => {
        const told = line(file);
        if (list.children.length > most("filesMost")) {
          told.end(`at most ${most("filesMost")} files are taken`, true);
        } else if (file.size > most("fileBytes")) {
          told.end(`at most ${Math.round(most("fileBytes") / 1048576)} MB of one file are read`, true);
        } else {
          open += 1;
          button.disabled = true;
          waiting = waiting.then(() => send(file, told)).then(() => {
            open -= 1;
            button.disabled = open > 0;
          });
        }
      });
      field.value = "";
    };
    field.addEventListener("change", () => bring(field.files));
    list.querySelectorAll("[data-place]").forEach((row) =>
      removal(row, upload.value, row.dataset.place));
    ["dragenter", "dragover"].forEach((name) => form.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      form.classList.add("over");
    }));
    ["dragleave", "drop"].forEach((name) => form.addEventListener(name, (event) => {
      if (event.relatedTarget && form.contains(event.relatedTarget)) return;
      form.classList.remove("over");
    }));
    // A folder that is dropped is gone through; what it holds is bounded like what is chosen.
    const walk = async (entry, found) => {
      if (found.length > most("filesMost")) return;
      if (entry.isFile) {
        found.push(await new Promise((done, fail) => entry.file(done, fail)));
      } else if (entry.isDirectory) {
        const reader = entry.createReader();
        for (;;) {
          const part = await new Promise((done, fail) => reader.readEntries(done, fail));
          if (!part.length || found.length > most("filesMost")) break;
          for (const inner of part) await walk(inner, found);
        }
      }
    };
    form.addEventListener("drop", async (event) => {
      const items = [...(event.dataTransfer?.items ?? [])];
      if (!items.some((item) => item.kind === "file")) return;
      event.preventDefault();
      const entries = items.map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
      const found = [];
      for (const entry of entries) await walk(entry, found);
      bring(found.length ? found : event.dataTransfer.files);
    });
  });

  // Ctrl+Enter sends the form that one writes in.
  all("form.ask").forEach((form) => {
    form.querySelector(".keys")?.removeAttribute("hidden");
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      const button = form.querySelector("button.main");
      if (!button?.disabled) form.requestSubmit(button);
    });
  });

  // Links are shown whole, and what is to be taken along can be copied.
  all("[data-absolute]").forEach((field) => {
    field.value = new URL(field.value, location.href).href;
  });
  all("[data-origin]").forEach((place) => { place.textContent = location.origin; });
  const copied = async (button, text) => {
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      button.textContent = "the browser does not let it be copied";
    }
    setTimeout(() => { button.textContent = words; }, 2000);
  };
  all("[data-copy-field]").forEach((button) => {
    button.hidden = !navigator.clipboard;
    const field = button.parentElement.querySelector("input");
    button.addEventListener("click", () => copied(button, field.value));
  });
  all("[data-copy]").forEach((button) => {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      const answer = await fetch(button.dataset.copy);
      if (answer.ok) await copied(button, await answer.text());
    });
  });

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

  // A list from a file is put into its field, to be looked at before it is sent.
  all("form[data-list]").forEach((form) => {
    const file = form.querySelector("input[type=file]");
    form.querySelector("[data-file]").hidden = false;
    file.addEventListener("change", async () => {
      const [chosen] = file.files;
      if (!chosen) return;
      const fits = chosen.size < form.dataset.list;
      file.setCustomValidity(fits ? "" : "This list is too large for a form; probity outlets import takes it.");
      file.reportValidity();
      if (!fits) return;
      form.querySelector("textarea").value = await chosen.text();
      form.querySelector("[name=provenance]").value ||= chosen.name;
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
