import { z } from "zod";

export const AttemptKind = z.enum(["initial", "renewal"]);
export type AttemptKind = z.infer<typeof AttemptKind>;

export const AttemptState = z
  .enum(["sent", "unknown", "held", "approved", "declined", "not-processed"])
  .describe("held: the gateway reviews it; unknown: it is being confirmed with the gateway");
export type AttemptState = z.infer<typeof AttemptState>;

export const RefundKind = z.enum(["void", "refund"]).describe("void: the charge had not settled");
export type RefundKind = z.infer<typeof RefundKind>;

export const RefundState = z
  .enum(["sent", "unknown", "held", "returned", "refused"])
  .describe("held: the gateway reviews it; unknown: it is being confirmed with the gateway");
export type RefundState = z.infer<typeof RefundState>;
