// @ts-check
/** Calls to the server, the tokens of tables, and the socket that keeps a page fresh. */

import { adopt, code, explicit, tx } from "./language.js";

export class ApiError extends Error {
  /** @param {number} status @param {{code?: string, message?: string, squares?: string[], [detail: string]: any}} error */
  constructor(status, error) {
    super(error.message || tx("The server did not answer as expected."));
    this.status = status;
    this.code = error.code || "unknown";
    this.squares = error.squares || [];
    this.details = error;
  }
}

/**
 * One call; throws ApiError when it did not work.
 * @param {string} path
 * @param {{method?: string, body?: any, token?: string | null, key?: string, raw?: boolean, blob?: Blob, hostKey?: string | null}} [options]
 * @returns {Promise<any>}
 */
export async function call(path, options = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (options.token) headers["Authorization"] = `Bearer ${options.token}`;
  if (options.hostKey) headers["X-Kibitz-Key"] = options.hostKey;
  if (options.key) headers["Idempotency-Key"] = options.key;
  if (explicit) headers["X-Kibitz-Language"] = code;
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (options.blob) headers["Content-Type"] = options.blob.type || "application/octet-stream";
  const body = options.blob ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  let answer;
  try {
    answer = await fetch(path, { method: options.method ?? (body ? "POST" : "GET"), headers, body });
  } catch {
    throw new ApiError(0, { code: "unreachable", message: tx("The server cannot be reached. Is it still running?") });
  }
  if (answer.ok) return options.raw ? answer : answer.json();
  let error = {};
  try {
    error = (await answer.json()).error ?? {};
  } catch { /* no JSON: the status has to do */ }
  throw new ApiError(answer.status, error);
}

/** A key that makes sending an action again harmless. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/**
 * Do something at a table; when the line breaks it is sent again and still done once.
 * @param {string} table @param {string} token @param {Record<string, any>} action
 */
export async function act(table, token, action) {
  const key = newKey();
  const send = () => call(`/api/tables/${table}/actions`, { body: action, token, key });
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 0) throw error;
    await new Promise((done) => setTimeout(done, 700));
    return send();
  }
}

/** The last part of this page's address. */
export function tableOfPage() {
  return location.pathname.split("/").filter(Boolean).pop() ?? "";
}

/**
 * The token that opens this page: from the link, else as kept from the last visit.
 * @param {string} page @param {string} table
 */
export function tokenOfPage(page, table) {
  const name = `kibitz.${page}.${table}`;
  const given = new URLSearchParams(location.hash.slice(1)).get("t");
  if (given) {
    keepHere(name, given);
    // a watcher's link that the host opens must not take the host's own place from it
    if (page !== "table" || !kept(name)) keep(name, given);
    // the address bar is looked at over shoulders and shared: the token does not stay in it
    history.replaceState(null, "", location.pathname + location.search);
  }
  return given ?? keptHere(name) ?? kept(name);
}

/** The token that this very page was opened with, a table's or a seat's. @param {any} state */
export const tokenHere = (state) => tokenOfPage(location.pathname.split("/")[1] || "table", state.table) ?? "";

/** What this page's token turned out to open: the host's is kept before any other.
 * @param {string} page @param {string} table @param {string} token @param {string} role
 */
export function settleToken(page, table, token, role) {
  if (role !== "host") return;
  keep(`kibitz.${page}.${table}`, token);
  keep(`kibitz.host.${table}`, token);
}

/** Kept tokens that open nothing any more are forgotten. @param {string} page @param {string} table @param {string} token */
export function dropToken(page, table, token) {
  const name = `kibitz.${page}.${table}`;
  try {
    sessionStorage.removeItem(name);
    for (const one of [name, `kibitz.host.${table}`]) if (localStorage.getItem(one) === token) localStorage.removeItem(one);
  } catch { /* nothing is kept */ }
}

/** A link to another page of the table that holds no token: hovering over it shows its address.
 * @param {HTMLElement} link @param {string} path @param {string} token
 */
export function leadTo(link, path, token) {
  link.setAttribute("href", path);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    location.assign(`${path}#t=${token}`);
  });
}

/** For this tab alone. @param {string} name @param {string} value */
export function keepHere(name, value) {
  try { sessionStorage.setItem(name, value); } catch { /* private mode: nothing is kept */ }
}

/** This browser sits at a table as its host from now on. @param {string} table @param {string} token */
export function keepPlace(table, token) {
  keep(`kibitz.table.${table}`, token);
  keep(`kibitz.host.${table}`, token);
  keepHere(`kibitz.table.${table}`, token);
}

/** @param {string} name @returns {string | null} */
export function keptHere(name) {
  try { return sessionStorage.getItem(name); } catch { return null; }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try { localStorage.setItem(name, value); } catch { /* private mode: nothing is kept */ }
}

/** @param {string} name @returns {string | null} */
export function kept(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

/** The server sends a beat every 20 seconds; without any for so long the line is dead. */
const DEAF_MS = 45000;
/** Somebody who takes the phone up again waits no longer than this for a line that may be dead. */
const STALE_MS = 21000;

/** The socket of a table, opened again and again until it works. */
export class Live {
  /**
   * @param {string} table @param {string} token
   * @param {(message: any) => void} onMessage
   * @param {(link: "open" | "lost" | "refused") => void} onLink
   */
  constructor(table, token, onMessage, onLink) {
    this.table = table;
    this.token = token;
    this.onMessage = onMessage;
    this.onLink = onLink;
    this.wait = 500;
    this.heard = Date.now();
    /** @type {any} */
    this.timer = 0;
    this.open();
    // a laptop that slept has a socket that looks open and is not
    setInterval(() => { if (Date.now() - this.heard > DEAF_MS) this.again(); }, 5000);
    document.addEventListener("visibilitychange", () => { if (!document.hidden && Date.now() - this.heard > STALE_MS) this.again(); });
    addEventListener("online", () => this.again()); // another network: the old line leads nowhere
    addEventListener("pageshow", (event) => { if (event.persisted) this.again(); });
  }

  /** Give the line up and take a new one at once. */
  again() {
    const old = this.socket;
    if (old) {
      old.onclose = old.onmessage = null;
      old.close();
    }
    clearTimeout(this.timer);
    this.wait = 500;
    this.heard = Date.now();
    this.onLink("lost");
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live?token=${encodeURIComponent(this.token)}${explicit ? `&lang=${code}` : ""}`);
    this.socket = socket;
    socket.onmessage = (event) => {
      this.heard = Date.now();
      this.wait = 500;
      this.onLink("open");
      const message = JSON.parse(event.data);
      if (message.language && adopt(message.language)) return;
      this.onMessage(message);
    };
    socket.onclose = (event) => {
      if (event.code === 4401) return this.onLink("refused");
      this.onLink("lost");
      this.heard = Date.now();
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(8000, this.wait * 1.7);
    };
  }
}
