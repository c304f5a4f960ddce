import { z } from "zod";
import { AcademyOnPages } from "./academy.ts";
import { Module, Plan } from "./catalogue.ts";
import { Communities } from "./communities.ts";
import { CopyOnPages } from "./copy.ts";
import { endpoint } from "./endpoint.ts";
import { OfferOnPages } from "./offer.ts";

/** What is left of the academy's claims. The words that scripts show come with it: none of them stands in a script. */
export const PageClaims = z
  .object({
    withdrawn: z.array(z.string()).describe("Ids of those that are taken off"),
    hasInstructor: z.boolean(),
    hasReviews: z.boolean(),
    mostPopular: z.string().nullable(),
    community: z.object({ count: z.string(), members: z.string(), sentence: z.string() }).nullable(),
  })
  .meta({ id: "PageClaims" });
export type PageClaims = z.infer<typeof PageClaims>;

export const getClaims = endpoint({
  method: "GET",
  path: "/api/claims",
  summary: "Which claims of the academy stand on its pages now; open to everyone",
  reply: PageClaims,
});

/** What pages show of what administrators publish, as visitors may see it. */
export const PageFacts = z.object({
  academy: AcademyOnPages,
  communities: Communities,
  plans: z.array(Plan),
  offer: OfferOnPages,
  catalogue: z.array(Module),
  claims: PageClaims,
  copy: CopyOnPages,
});
export type PageFacts = z.infer<typeof PageFacts>;
