"use strict";
// @ts-check
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const at = (id) => document.getElementById(id);
  const { make, freshSquares, drawBoard } = kibitzBoard;
  const SVG = "http://www.w3.org/2000/svg";
  const draw = (name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const STATUS = {
    play: "play", several: "several plays", no_change: "nothing changed", taken_back: "taken back",
    task_done: "done on the board", question: "a question", covered: "waiting, a hand is in the way",
    unreadable: "could not be read", board_changed: "the board was disturbed",
  };
  let now = 0;
  let timer = 0;
  let reading = true;

  const tilesOf = (play) => {
    const letters = Object.values(play.tiles || {});
    return letters.length ? `tiles ${letters.join(" ")}` : "";
  };

  const ships = (count) => `${count} ship${count === 1 ? "" : "s"}`;

  function showPhoto(frame) {
    const box = at("photo");
    box.replaceChildren();
    box.hidden = game.images.length === 0; // told without any camera
    if (frame.image === null) {
      box.append(make("p", { class: "none" }, "No photograph."), make("figcaption", {}, frame.file));
      return;
    }
    box.append(make("img", { src: game.images[frame.image], width: frame.width, height: frame.height, alt: `Photograph ${frame.file}` }));
    if (reading) {
      const layer = draw("svg", { viewBox: `0 0 ${frame.width} ${frame.height}`, "aria-hidden": "true" });
      if (frame.corners) layer.append(draw("polygon", { class: "frame", points: frame.corners.join(" ") }));
      const fresh = freshSquares(frame);
      for (const tile of frame.seen) {
        const kind = fresh.has(tile.square) ? "seen fresh" : tile.sure < 0.9 ? "seen doubt" : "seen";
        layer.append(draw("polygon", { class: kind, points: tile.points.join(" ") }));
        const middle = [0, 1].map((k) => tile.points.reduce((sum, p) => sum + p[k], 0) / tile.points.length);
        layer.append(draw("text", { x: middle[0], y: middle[1], "font-size": tile.size * 0.5 }, tile.letter));
      }
      box.append(layer);
    }
    box.append(make("figcaption", {}, frame.file));
  }

  function showBoard(frame) {
    at("board").replaceChildren(drawBoard(game, frame));
  }

  function showWords(frame) {
    const box = at("say");
    box.replaceChildren();
    for (const line of frame.say) box.append(make("p", {}, line));
    box.append(make("span", { class: "status" }, STATUS[frame.status] || frame.status.replaceAll("_", " ")));
    if (frame.question && !frame.say.includes(frame.question.prompt)) box.append(make("p", {}, frame.question.prompt));
  }

  function showScores(frame) {
    const box = at("scores");
    box.replaceChildren();
    const mover = frame.play && frame.play.player;
    // teams have one score together
    for (const player of frame.scores ? Object.keys(frame.scores) : game.players) {
      const row = make("div", player === mover || player.split("+").includes(mover) ? { class: "mover" } : {});
      row.append(make("span", {}, player));
      if (frame.scores) row.append(make("b", {}, String(frame.scores[player] ?? 0)));
      if (frame.ship_count) row.append(make("span", {}, ships(frame.ship_count[player] ?? 0)));
      box.append(row);
    }
    if (frame.total_words !== undefined) box.append(make("div", {}, `${frame.total_words} words`));
  }

  function show(index) {
    now = Math.max(0, Math.min(game.frames.length - 1, index));
    const frame = game.frames[now];
    showPhoto(frame);
    showBoard(frame);
    showWords(frame);
    showScores(frame);
    at("slider").value = String(now);
    at("count").textContent = `${now + 1} of ${game.frames.length}`;
    for (const button of at("plays").querySelectorAll("button")) {
      const current = button.dataset.frame === String(now);
      button.setAttribute("aria-current", String(current));
      if (current) keepInView(button);
    }
    if (now === game.frames.length - 1) stop();
  }

  function keepInView(button) {
    // only the list moves: the page itself stays where the reader has put it
    const box = at("plays");
    const top = button.offsetTop - box.offsetTop;
    if (top < box.scrollTop) box.scrollTop = top;
    const below = top + button.offsetHeight - box.clientHeight;
    if (below > box.scrollTop) box.scrollTop = below;
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    at("run").textContent = "Play";
    at("run").setAttribute("aria-pressed", "false");
  }

  function run() {
    if (timer) return stop();
    if (now === game.frames.length - 1) show(0);
    timer = setInterval(() => show(now + 1), 1800);
    at("run").textContent = "Pause";
    at("run").setAttribute("aria-pressed", "true");
  }

  function toggleReading() {
    reading = !reading;
    at("reading").setAttribute("aria-pressed", String(reading));
    showPhoto(game.frames[now]);
  }

  function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }

  function list() {
    let number = 0;
    game.frames.forEach((frame, index) => {
      const play = frame.play;
      if (!play) return;
      const words = play.word || play.flipped || (play.words || []).map((w) => w.word).join(", ")
        || (play.removed || []).length && "taken off" || tilesOf(play) || "turned";
      number += 1;
      const button = make("button", { type: "button", "data-frame": String(index) });
      button.append(make("span", { class: "n" }, String(number)));
      const word = make("span", { class: "w" }, `${words} `);
      if (play.player) word.append(make("small", {}, play.player));
      button.append(word, make("span", { class: "s" }, play.turn_score == null ? "" : String(play.turn_score)));
      button.addEventListener("click", () => show(index));
      const item = make("li");
      item.append(button);
      at("plays").append(item);
    });
  }

  at("players").textContent = `${game.title} · ${game.players.join(", ")}`;
  at("slider").max = String(game.frames.length - 1);
  at("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  at("back").addEventListener("click", () => show(now - 1));
  at("next").addEventListener("click", () => show(now + 1));
  at("run").addEventListener("click", run);
  at("reading").addEventListener("click", toggleReading);
  at("theme").addEventListener("click", toggleTheme);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inSlider = event.target === at("slider");
    const keys = {
      ArrowLeft: () => inSlider || show(now - 1), ArrowRight: () => inSlider || show(now + 1),
      Home: () => show(0), End: () => show(game.frames.length - 1),
      " ": () => event.target.tagName !== "BUTTON" && run(), r: toggleReading, t: toggleTheme,
    };
    const action = keys[event.key] || keys[event.key.toLowerCase()];
    if (!action) return;
    if (event.key === " " && event.target.tagName !== "BUTTON") event.preventDefault();
    action();
  });
  list();
  show(0);
})();
