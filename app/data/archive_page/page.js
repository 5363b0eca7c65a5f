"use strict";
// @ts-check
(() => {
  const { make, drawBoard } = kibitzBoard;
  const archive = JSON.parse(document.getElementById("archive").textContent);
  const find = JSON.parse(document.getElementById("find").textContent);
  const at = (id) => document.getElementById(id);
  const MOST_HITS = 50;

  const anchor = (name) => `game-${encodeURIComponent(name)}`;
  const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

  // a board is drawn when its game comes into view: a page may hold hundreds
  const watcher = new IntersectionObserver((seen) => {
    for (const entry of seen) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      const game = archive.games[Number(entry.target.dataset.game)];
      entry.target.replaceChildren(drawBoard({ ...archive.looks[game.kind], ...game.look }, game));
    }
  }, { rootMargin: "600px" });

  function failedCard(game) {
    const card = make("article", { class: "game card failed", id: anchor(game.name) });
    card.append(make("h2", {}, game.title), make("p", {}, "This game could not be replayed."));
    card.append(make("p", { class: "open" }, game.error));
    return card;
  }

  function card(game, index) {
    if (game.error !== null) return failedCard(game);
    const box = make("article", { class: "game card", id: anchor(game.name) });
    box.append(make("h2", {}, game.title));
    if (game.title !== game.name) box.append(make("p", {}, game.name));
    box.append(make("p", {}, `${game.game} · ${counted(game.photos, "photograph")}, ${counted(game.plays, "play")}`));
    const label = game.table ? "What lay on the table at the end" : "The board at the end";
    if (game.table || game.board) {
      box.append(make("div", { class: game.table ? "board loose" : "board", role: "img", "aria-label": `${label}: ${game.title}`, "data-game": String(index) }));
    }
    const points = make("dl", { class: "points" });
    const most = Math.max(...Object.values(game.scores));
    for (const player of Object.keys(game.scores).length ? Object.keys(game.scores) : game.players) {
      const row = make("div", {});
      row.append(make("dt", {}, player));
      row.append(make("dd", {}, player in game.scores ? `${game.scores[player]}${game.scores[player] === most ? " ★" : ""}` : ""));
      points.append(row);
    }
    box.append(points);
    if (game.best) box.append(make("p", {}, `Best play: ${game.best}`));
    const open = [];
    if (game.unresolved) open.push(`${counted(game.unresolved, "photograph")} not understood`);
    if (game.questions) open.push(`${counted(game.questions, "question")} open`);
    if (open.length) box.append(make("p", { class: "open" }, open.join(", ")));
    const links = make("p", { class: "links" });
    for (const [ending, address] of Object.entries(game.links)) {
      links.append(make("a", { href: address, "aria-label": `${ending === "html" ? "Replay" : "GCG"}: ${game.title}` }, ending === "html" ? "Replay" : "GCG"));
    }
    box.append(links);
    return box;
  }

  function showGames() {
    at("games").replaceChildren(...archive.games.map(card));
    for (const board of at("games").querySelectorAll("[data-game]")) watcher.observe(board);
  }

  // what is searched: of the first page all games of the archive, of another page those on it
  const known = find || archive.games.map((g) => [g.name, g.title, 0, g.players || [], Object.values(g.scores || {}), g.best || ""]);
  const texts = known.map((entry) => [entry[0], entry[1], entry[3].join(" "), entry[5]].join(" ").toUpperCase());

  function hit(entry) {
    const [name, title, page, players, scores] = entry;
    const file = page > 1 ? `index-${page}.html` : "";
    const link = make("a", { href: `${file}#${encodeURIComponent(anchor(name))}` });
    link.append(make("b", {}, title || name));
    const told = players.map((player, i) => scores.length === players.length ? `${player} ${scores[i]}` : player);
    link.append(make("span", {}, told.join(", ")));
    const item = make("li", {});
    item.append(link);
    return item;
  }

  function search() {
    const wanted = at("search").value.toUpperCase().split(/\s+/).filter(Boolean);
    const hits = [];
    let count = 0;
    if (wanted.length) {
      texts.forEach((text, index) => {
        if (!wanted.every((part) => text.includes(part))) return;
        count += 1;
        if (hits.length < MOST_HITS) hits.push(hit(known[index]));
      });
    }
    at("hits").replaceChildren(...hits);
    at("hits").hidden = hits.length === 0;
    at("told").textContent = !wanted.length ? "" : count > MOST_HITS ? `${count} games, the first ${MOST_HITS} are listed` : counted(count, "game");
  }

  function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }

  at("count").textContent = `${counted(archive.games.length, "game")} on this page${find && find.length > archive.games.length ? `, ${find.length} in all` : ""}`;
  at("search").addEventListener("input", search);
  at("theme").addEventListener("click", toggleTheme);
  showGames();
  // the games are drawn only now, so a link to one of them is followed once more
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
})();
