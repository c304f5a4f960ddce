import { z } from "zod";

/** Of something that is edited. */
export const Version = z.string().describe("Changes with what is edited");

export const madeFrom = z.string().max(40).describe("Of what the change was made from");

/** Beside a change, so that it overwrites nothing that was saved meanwhile. Pages of the release before this one say none. */
export const MadeFrom = z.strictObject({ version: madeFrom.optional() });
