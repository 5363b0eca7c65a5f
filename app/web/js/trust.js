// @ts-check
/** How a phone learns to trust the certificate of this house: the part for this device is open. */

import { byId, fill } from "./dom.js";
import { languageButton, themeButton, useTheme } from "./chrome.js";

useTheme();
fill(byId("tools"), languageButton(), themeButton());
const me = navigator.userAgent;
const device = /iPhone|iPad/.test(me) || (/Mac/.test(me) && navigator.maxTouchPoints > 1) ? "iphone" : /Android/.test(me) ? "android" : "computer";
byId(device).setAttribute("open", "");

const answer = await fetch("/api/authority").catch(() => null);
if (answer?.ok) byId("fingerprint").textContent = answer.headers.get("x-fingerprint") ?? "";
else {
  byId("offer").hidden = true;
  byId("plain").hidden = false;
}
