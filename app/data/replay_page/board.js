"use strict";
// @ts-check
// A board or a loose table drawn from a frame; shared by the page of a game and the pages of an archive.
const kibitzBoard = (() => {
  const make = (name, attributes, text) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // nine joined boards have 45 squares along a side
  const sideOf = (size) => size === 45 ? 15 : size;

  const squareName = (size, row, col) => {
    const side = sideOf(size);
    const local = `${String.fromCharCode(65 + row % side)}${col % side + 1}`;
    return size > side ? `${3 * Math.floor(row / side) + Math.floor(col / side) + 1}:${local}` : local;
  };

  const freshSquares = (frame) => new Set(Object.keys((frame.play && frame.play.tiles) || {}));

  /** A board, or what lies on a loose table: `game` has size, facing, premiums and values. */
  function drawBoard(game, frame) {
    if (frame.table) return drawTable(frame.table);
    const size = game.size;
    const grid = make("div", { class: "grid" });
    const axes = size === sideOf(size);
    const clubs = game.notation === "1A";
    const columns = size + (axes ? 1 : 0);
    grid.style.gridTemplateColumns = axes ? `.8fr repeat(${size}, 1fr)` : `repeat(${size}, 1fr)`;
    grid.style.setProperty("--letter", `${58 / columns}cqw`);
    if (axes) {
      grid.append(make("div", { class: "axis" }));
      for (let col = 0; col < size; col++) grid.append(make("div", { class: "axis" }, clubs ? String.fromCharCode(65 + col) : String(col + 1)));
    }
    const fresh = freshSquares(frame);
    for (let row = 0; row < size; row++) {
      if (axes) grid.append(make("div", { class: "axis" }, clubs ? String(row + 1) : String.fromCharCode(65 + row)));
      for (let col = 0; col < size; col++) {
        const cell = drawSquare(game, frame.board[row][col], row, col);
        if (fresh.has(squareName(size, row, col))) cell.classList.add("fresh");
        grid.append(cell);
      }
    }
    return grid;
  }

  function drawSquare(game, char, row, col) {
    const cell = make("div");
    const side = sideOf(game.size);
    if (row && row % side === 0) cell.style.marginTop = "3px";
    if (col && col % side === 0) cell.style.marginLeft = "3px";
    if (char === ".") {
      const premium = game.premiums ? game.premiums[row % side][col % side] : ".";
      cell.className = { Q: "w4", W: "w3", w: "w2", "*": "w2", q: "l4", L: "l3", l: "l2" }[premium] || "";
      return cell;
    }
    const small = char !== char.toUpperCase();
    cell.className = "tile";
    cell.textContent = char.toUpperCase();
    if (game.facing && small) cell.classList.add("turned");
    if (!game.facing && (small || char === "?")) cell.classList.add("blank");
    if (!game.facing && !small && game.values[char]) cell.append(make("sub", {}, String(game.values[char])));
    return cell;
  }

  function drawTable(table) {
    const part = make("div", { class: "table" });
    const rack = (text) => {
      const row = make("div", { class: "rack" });
      for (const letter of text) row.append(make("span", {}, letter));
      return row;
    };
    part.append(make("h2", {}, "Pool"), rack(table.pool));
    part.append(make("h2", {}, `Face down: ${table.face_down ?? "?"}`));
    for (const [player, words] of Object.entries(table.words)) {
      part.append(make("h2", {}, player));
      for (const word of words) part.append(rack(word));
    }
    return part;
  }

  return { make, freshSquares, drawBoard };
})();
