import { z } from "zod";
import { Module, Plan } from "./catalogue.ts";
import { Offer } from "./offer.ts";

/** What pages show of what administrators publish, as visitors may see it. */
export const PageFacts = z.object({ plans: z.array(Plan), offer: Offer, catalogue: z.array(Module) });
export type PageFacts = z.infer<typeof PageFacts>;
