// @ts-check
/** A report of a misreading: a file that people send or keep. */

import { ask, h } from "./dom.js";
import { call } from "./api.js";
import { tx } from "./language.js";

/** @param {string} table @param {string} token its host's */
export function openReport(table, token) {
  const file = async () => {
    const answer = await call(`/api/tables/${table}/report.zip`, { token, raw: true });
    return new File([await answer.blob()], "kibitz-report.zip", { type: "application/zip" });
  };
  const keep = async () => {
    const made = URL.createObjectURL(await file());
    h("a", { href: made, download: "kibitz-report.zip" }).click();
    setTimeout(() => URL.revokeObjectURL(made), 60_000);
  };
  const probe = { files: [new File([""], "kibitz-report.zip", { type: "application/zip" })] };
  ask(tx("Report a misreading"), [
    h("p", {}, tx("Make one while the misread board is in the picture. The file holds the whole picture, what was read, what you corrected and the version of Kibitz; no names.")),
    h("p", { class: "small soft" }, tx("The picture shows everything the camera sees, also racks and people. Nothing is sent unless you send it.")),
  ], [
    ...(navigator.canShare?.(probe) ? [{ label: tx("Send…"), act: async () => navigator.share({ files: [await file()] }) }] : []),
    { label: tx("Save the file"), act: keep },
  ]);
}
