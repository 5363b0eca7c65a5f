// @ts-check
/** What an address shows that leads to no page. */

import { byId, fill } from "./dom.js";
import { languageButton, themeButton, useTheme } from "./chrome.js";

useTheme();
fill(byId("tools"), languageButton(), themeButton());
