// @ts-check
/** Keeps the pages themselves on the phone, so that its app opens while the server is being started.
 *
 * What the server has comes first, always; what is kept is shown where it does not answer. Calls are
 * never kept, and no address that is kept holds a token: what stands behind the # of a link is left out.
 */

const SHELL = "kibitz-shell";
const worker = /** @type {any} */ (self);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const page = request.mode === "navigate" && !pathname.startsWith("/api/");
  if (request.method === "GET" && origin === location.origin && (page || /^\/(static|language)\//.test(pathname))) event.respondWith(answer(request));
});

/** @param {Request} request */
async function answer(request) {
  const address = request.url.split("#")[0];
  const kept = await caches.open(SHELL);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await kept.put(address, fresh.clone());
    return fresh;
  } catch (error) {
    const old = await kept.match(address);
    if (old) return old;
    throw error;
  }
}
