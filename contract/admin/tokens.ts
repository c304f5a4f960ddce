import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { tokenScopeNames } from "../token-scopes.ts";
import { Done, plainText, recordId } from "./admin.ts";

export const mostTokens = 50;

const Scope = z.enum(tokenScopeNames);

export const TokenTerms = z.strictObject({
  name: plainText(60).min(1, "Required"),
  scopes: z.array(Scope).min(1, "Select at least one permission.").max(tokenScopeNames.length),
  expiresInDays: z.int().min(1).max(365),
});
export type TokenTerms = z.infer<typeof TokenTerms>;

export const Token = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(Scope),
    creatorName: z.string().describe("Name or address as it is today"),
    state: z
      .enum(["active", "expired", "stopped"])
      .describe("stopped: its creator may not change the settings any more"),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().describe("To the minute"),
  })
  .meta({ id: "Token" });
export type Token = z.infer<typeof Token>;

const NewToken = z.object({ id: z.string(), token: z.string().describe("`acad_…`; shown this once") });

const permission = "settings:write";
const path = "/api/admin/tokens";

export const listTokens = endpoint({
  method: "GET",
  path,
  permission,
  summary: "The tokens of other tools, the newest first, with those that expired in the last 90 days",
  reply: z.array(Token),
});

export const createToken = endpoint({
  method: "POST",
  path,
  permission,
  summary: `Creates a token by which another tool calls the API. At most ${mostTokens}, each with a name of its own`,
  body: TokenTerms,
  reply: NewToken,
  otherReplies: { 201: NewToken },
});

export const revokeToken = endpoint({
  method: "DELETE",
  path: `${path}/{id}`,
  permission,
  summary: "Deletes a token, which stops working right away",
  params: z.object({ id: recordId }),
  reply: Done,
});
