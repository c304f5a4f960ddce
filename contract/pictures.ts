import { z } from "zod";
import { line } from "./line.ts";

export const pictureId = z.string().regex(/^[0-9a-f]{32}-\d{1,4}x\d{1,4}$/, "Not a picture that was uploaded");

/** A picture of the landing page. */
export const Picture = z.strictObject({
  id: pictureId.describe("As `uploadFigure` names it"),
  alt: line(200).nullable().describe("What it shows, in words; null: it only decorates"),
});
export type Picture = z.infer<typeof Picture>;
