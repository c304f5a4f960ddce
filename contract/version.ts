import { z } from "zod";

export const Version = z.string().describe("Changes with what is edited");

export const madeFrom = z.string().max(40).describe("Of what the change was made from");

/** Sent with a change, so that it overwrites nothing that was saved meanwhile. Without it, the change does. */
export const MadeFrom = z.strictObject({ version: madeFrom.optional() });
