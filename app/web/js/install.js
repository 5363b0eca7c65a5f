// @ts-check
/** A place at the table as an app of the phone's home screen. */

import { ask, h } from "./dom.js";
import { keep } from "./api.js";
import { tx } from "./language.js";

const apple = /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** The button that puts this place on the home screen; hidden where the browser has no way, or it is there already.
 * @param {string} token what opens this place
 */
export function installButton(token) {
  const button = h("button", { type: "button", hidden: true }, tx("Add to the home screen"));
  keep("kibitz.app", location.pathname);
  keepShell();
  if (matchMedia("(display-mode: standalone)").matches) return button;
  /** @type {any} the browser's own question, put off until somebody taps */
  let offer = null;
  addEventListener("beforeinstallprompt", (event) => { event.preventDefault(); offer = event; button.hidden = false; });
  addEventListener("appinstalled", () => { button.hidden = true; });
  button.hidden = !apple || !token;
  button.addEventListener("click", () => (offer ? offer.prompt() : byHand(token)));
  return button;
}

/** Safari adds the page's own address, and its apps know nothing of its pages: the link has to be in it.
 * @param {string} token
 */
function byHand(token) {
  document.querySelector("link[rel=manifest]")?.remove();
  history.replaceState(null, "", `${location.pathname}#t=${token}`);
  ask(tx("Add to the home screen"), [h("p", {}, tx("Tap Share, then “Add to Home Screen”."))], [{ label: tx("Done"), act: () => null }])
    .addEventListener("close", () => history.replaceState(null, "", location.pathname));
}

/** Keep the pages on the phone; a browser that does not trust the certificate keeps none. */
async function keepShell() {
  const workers = navigator.serviceWorker;
  if (!workers || location.protocol !== "https:" || workers.controller) return;
  // what this page was made of came before there was anybody to keep it
  workers.addEventListener("controllerchange", () => {
    const parts = performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => /\/(static|language)\//.test(name));
    for (const part of parts) fetch(part).catch(() => null);
  }, { once: true });
  await workers.register("/service-worker.js", { scope: "/" }).catch(() => null);
}
