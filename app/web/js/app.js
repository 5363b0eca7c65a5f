// @ts-check
/** Where the app of the home screen begins: at the place that this phone had last. */

import { kept } from "./api.js";

location.replace(kept("kibitz.app") ?? "/");
