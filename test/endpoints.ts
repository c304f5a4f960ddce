import { readdirSync } from "node:fs";
import type { Endpoint } from "#contract/endpoint.ts";

const folder = new URL("../contract/", import.meta.url);

/** Every endpoint of the contract. */
export async function listEndpoints(): Promise<Endpoint[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const modules: Record<string, unknown>[] = await Promise.all(files.map((file) => import(new URL(file, folder).href)));
  const exported = modules.flatMap(Object.values).filter((value) => value !== null && typeof value === "object");
  // Some calls are exported together, such as the steps of a batch.
  return [...exported, ...exported.flatMap(Object.values)].filter(isEndpoint);
}

function isEndpoint(value: unknown): value is Endpoint {
  return value !== null && typeof value === "object" && "path" in value && "reply" in value;
}
