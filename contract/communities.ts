import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { line } from "./line.ts";

const address = z
  .url({ protocol: /^https?$/, error: "Enter an address such as https://example.com" })
  .max(500, "Use 500 characters or fewer");

/** An external site. */
const Elsewhere = z.strictObject({ label: line(60), detail: line(160), url: address });
export type Elsewhere = z.infer<typeof Elsewhere>;

/** The invitation to the chat of the students. */
const Chat = z.strictObject({
  title: line(60),
  sentence: line(400),
  action: line(40).describe("On the button"),
  url: address,
  channels: z
    .array(z.strictObject({ name: line(30), about: line(120) }))
    .max(6, "At most 6")
    .describe("What goes on there"),
});
export type Chat = z.infer<typeof Chat>;

/** The students' communities, and the external sites that the course uses. */
export const communityFields = {
  communities: z.array(Elsewhere).max(6, "At most 6").describe("On the contact page and in the site map"),
  externalSites: z.array(Elsewhere).max(12, "At most 12").describe("In the site map, behind the communities"),
  chat: Chat.nullable().describe("In the course; null: none"),
};

export const Communities = z.object(communityFields).meta({ id: "Communities" });
export type Communities = z.infer<typeof Communities>;

export const getCommunities = endpoint({
  method: "GET",
  path: "/api/communities",
  summary: "Where students meet, as the pages say now; open to everyone",
  reply: Communities,
});
