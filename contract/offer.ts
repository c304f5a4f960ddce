import { z } from "zod";
import { endpoint } from "./endpoint.ts";

const line = (longest: number) => z.string().trim().min(1, "Required").max(longest, `At most ${longest} characters`);

/** A price comparison beside the plans: it changes what the pages say and never what is charged. */
export const Offer = z
  .strictObject({
    enabled: z.boolean().describe("False takes the countdown, the struck-out prices and the badges off the pages"),
    countdown: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("daily"), startSeconds: z.int().min(60).max(86_399) }),
      z.strictObject({ kind: z.literal("until"), endsAt: z.iso.datetime() }),
    ]),
    originalPriceFactor: z.number().min(1).max(10),
    discountClaim: line(40),
    headline: line(80),
    countdownLabel: line(80),
    badges: z.strictObject({
      basic: line(30).optional(),
      premium: line(30).optional(),
      vip: line(30).optional(),
    }),
  })
  .meta({ id: "Offer" });
export type Offer = z.infer<typeof Offer>;

export const getOffer = endpoint({
  method: "GET",
  path: "/api/offer",
  summary: "The offer beside the plans, as its owner published it; open to everyone",
  reply: Offer,
});
