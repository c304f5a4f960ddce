import { z } from "zod";
import { endpoint } from "./endpoint.ts";

export const ProxyCheck = z
  .object({
    address: z.string().describe("The client's, as limits see it"),
    proxies: z.int().describe("How many proxies were believed on the way to it"),
    chain: z.array(z.string()).describe("All that the request named: who is connected first, the farthest last"),
  })
  .meta({ id: "ProxyCheck" });
export type ProxyCheck = z.infer<typeof ProxyCheck>;

export const checkProxies = endpoint({
  method: "POST",
  path: "/api/proxy-check",
  summary: "Tells the doctor, once for each token that it wrote to the database, whom the academy takes it for",
  body: z.strictObject({ token: z.string().max(100) }),
  reply: ProxyCheck,
});
