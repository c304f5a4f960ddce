import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { pictureId } from "../pictures.ts";

/** In bytes. */
export const pictureLimit = 2 * 1024 * 1024;
export const pictureTooLarge = "Choose a picture of at most 2 MB.";

const picture = z.object({ id: pictureId, src: z.string(), width: z.int(), height: z.int() }).meta({ id: "Picture" });
const file = z.any().meta({ type: "string", format: "binary" }).optional();

export const uploadPicture = endpoint({
  method: "POST",
  path: "/api/admin/settings/picture",
  summary:
    "Keeps a logo or an icon for the settings to name; it is drawn anew, and shown nowhere before they are published",
  permission: "settings:write",
  withoutFreshSignIn: "A draft is visible to the team only",
  form: z
    .object({ logo: file, icon: file })
    .describe("One of the two: a PNG, WebP or JPEG of at most 2 MB; an icon is cut to a square"),
  reply: picture,
});

export const uploadFigure = endpoint({
  method: "POST",
  path: "/api/admin/content/picture",
  summary: "Uploads a picture for lesson texts (by its `src`) or the landing page (by its id). It is re-encoded",
  permission: "content:write",
  withoutFreshSignIn: "A draft is visible to the team only",
  form: z
    .object({ figure: file, portrait: file })
    .describe("One of the two: a PNG, WebP or JPEG of at most 2 MB; a portrait is made smaller"),
  reply: picture,
});
