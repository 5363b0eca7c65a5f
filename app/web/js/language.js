// @ts-check
/** The page's texts in the chosen language. English stands in the scripts; the others come from the server. */

const NAME = "kibitz.language";
const page = document.documentElement;

/** @param {Storage} store @param {string} [value] @returns {string} */
function stored(store, value) {
  try {
    if (value !== undefined) store.setItem(NAME, value);
    return store.getItem(NAME) ?? "";
  } catch { return ""; } // private mode: nothing is kept
}

const asked = new URLSearchParams(location.search).get("lang");
/** The language that this person chose; empty where the seat's, the table's or the server's holds. */
export const explicit = asked ? stored(localStorage, asked) || asked : stored(localStorage);

/** @typedef {{language: string, forms: string[], texts: Record<string, string>, counted: Record<string, string[]>}} Texts */

/** @param {string} wanted @returns {Promise<Texts | null>} */
async function load(wanted) {
  if (!/^[a-z]{2,3}$/.test(wanted) || wanted === "en") return null;
  try {
    const answer = await fetch(`/language/${wanted}.json`);
    return answer.ok ? await answer.json() : null;
  } catch { return null; }
}

const texts = await load(explicit || stored(sessionStorage) || page.lang);
/** The language of the page, as `en`. */
export const code = texts?.language ?? "en";
/** The same with its country, where the browser names one: hours are written as people there do. */
export const region = navigator.languages.find((one) => one.split("-")[0] === code) ?? code;
const plurals = new Intl.PluralRules(code);
const numbers = new Intl.NumberFormat(code);
const lists = new Intl.ListFormat(code);

/** @param {string} text @param {Record<string, any>} values */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return texts && typeof value === "number" ? numbers.format(value) : String(value);
  });
}

/** A text with its values, as `tx("{player} to move", { player })`. @param {string} text @param {Record<string, any>} [values] */
export function tx(text, values) {
  const said = texts?.texts[text] || text;
  return values ? filled(said, values) : said;
}

/** A text that counts something: how it reads for one, and for several. @param {string} one @param {string} many @param {number} count @param {Record<string, any>} [values] */
export function tn(one, many, count, values = {}) {
  const forms = texts?.counted[one];
  if (!texts || !forms) return filled(count === 1 ? one : many, { ...values, count });
  const form = texts.forms.indexOf(plurals.select(count));
  return filled(forms[form < 0 ? forms.length - 1 : form], { ...values, count });
}

/** Several names in a row: `Ann and Bob`. @param {string[]} names */
export function row(names) {
  return texts ? lists.format(names) : names.join(" and ");
}

/** A pattern that finds a text again whatever its values are. @param {string} text @param {Record<string, string>} values patterns */
export function pattern(text, values) {
  return text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The server answers this place in another language than the page has: take that. @param {string} language @returns {boolean} whether the page is loaded anew */
export function adopt(language) {
  if (explicit || language === code || stored(sessionStorage) === language) return false;
  if (stored(sessionStorage, language) !== language) return false;
  location.reload();
  return true;
}

/** From now on this person's language, whatever seat or server say. @param {string} language */
export function choose(language) {
  stored(localStorage, language);
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  if (address.href === location.href) location.reload();
  else location.replace(address);
}

/** What stands in the page itself. */
function translatePage() {
  page.lang = code;
  if (!texts) return;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const whole = node.nodeValue ?? "", words = whole.trim().replace(/\s+/g, " ");
    const said = texts.texts[words];
    if (said) node.nodeValue = whole.replace(whole.trim(), () => said);
  }
  for (const name of ["alt", "aria-label", "placeholder", "title"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const said = texts.texts[(element.getAttribute(name) ?? "").trim()];
      if (said) element.setAttribute(name, said);
    }
  }
  document.title = tx(document.title);
}
translatePage();
