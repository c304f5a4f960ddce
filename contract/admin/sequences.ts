import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { MadeFrom, Version } from "../version.ts";

/** In the order in which they take a person's one email of the day. */
export const sequenceNames = ["unfinished-checkout", "paying-for-nothing", "new-lesson", "welcome", "stalled"] as const;
export type SequenceName = (typeof sequenceNames)[number];

const SequenceName = z.enum(sequenceNames);

export const percentWords = "Enter a number from 0 to 50.";

export const SequenceSettings = z.strictObject({
  on: z.array(SequenceName).max(sequenceNames.length).describe("The sequences that are sent"),
  controlPercent: z
    .int(percentWords)
    .min(0, percentWords)
    .max(50, percentWords)
    .describe("The share of people who get no email of a sequence, chosen at random, for comparison"),
});
export type SequenceSettings = z.infer<typeof SequenceSettings>;

const SequenceFigures = z.object({
  people: z.int(),
  returned: z.int().describe("Signed in or watched within 3 days"),
  returnedOf: z.int().describe("People whose 3 days are over"),
  bought: z.int().describe("Bought a plan within 7 days"),
  boughtOf: z.int().describe("People whose 7 days are over"),
});
export type SequenceFigures = z.infer<typeof SequenceFigures>;

const SequenceStep = z.object({
  afterHours: z.int().describe("Since the event that starts the sequence"),
  subject: z.string().describe("The email's subject, with example data"),
  sent: SequenceFigures,
  control: SequenceFigures.describe("People in the control group, who would have got the email"),
});
export type SequenceStep = z.infer<typeof SequenceStep>;

export const Sequences = z
  .object({
    version: Version.describe("Changes with the settings"),
    settings: SequenceSettings,
    sequences: z.array(z.object({ name: SequenceName, steps: z.array(SequenceStep) })),
  })
  .meta({ id: "Sequences" });
export type Sequences = z.infer<typeof Sequences>;

const path = "/api/admin/sequences";

export const getSequences = endpoint({
  method: "GET",
  path,
  summary: "The sequences of automatic emails, their settings, and what each step led to",
  permission: "announcements:send",
  reply: Sequences,
});

export const changeSequences = endpoint({
  method: "PUT",
  path,
  summary:
    "Turns sequences on or off. Events from before a sequence was turned on start nothing. 409 when somebody changed it since it was read",
  permission: "settings:write",
  query: MadeFrom,
  body: SequenceSettings,
  reply: Sequences,
});

/** The email of a step as HTML, with examples. */
export const sequencePreviewPath = `${path}/{name}/{step}/preview`;
