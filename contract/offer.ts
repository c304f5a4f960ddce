import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { line } from "./line.ts";

const endsAt = z.iso.datetime().describe("From then on the struck-out prices are what the plans cost");

/** A price comparison next to the plans. Only one that ends once also changes prices when it ends. */
export const Offer = z
  .strictObject({
    enabled: z.boolean().describe("False takes the countdown, the struck-out prices and the badges off the pages"),
    countdown: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("daily"), startSeconds: z.int().min(60).max(86_399) }),
      z.strictObject({ kind: z.literal("until"), endsAt }),
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

/**
 * The offer as pages show it. Parts that were removed at /admin/claims are null, and so are all parts of an offer
 * that is off.
 */
export const OfferOnPages = Offer.extend({
  countdown: Offer.shape.countdown.nullable(),
  discountClaim: Offer.shape.discountClaim.nullable(),
  headline: Offer.shape.headline.nullable(),
  countdownLabel: Offer.shape.countdownLabel.nullable(),
}).meta({ id: "OfferOnPages" });
export type OfferOnPages = z.infer<typeof OfferOnPages>;

export const getOffer = endpoint({
  method: "GET",
  path: "/api/offer",
  summary: "The offer beside the plans, as it stands on the pages now; open to everyone",
  reply: OfferOnPages,
});
