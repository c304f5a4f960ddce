import { readdirSync } from "node:fs";
import type { Endpoint } from "#contract/endpoint.ts";

const folder = new URL("../contract/", import.meta.url);

/** Every endpoint of the contract. */
export async function listEndpoints(): Promise<Endpoint[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const modules: Record<string, unknown>[] = await Promise.all(files.map((file) => import(new URL(file, folder).href)));
  return modules.flatMap((module) =>
    Object.values(module).flatMap((value) =>
      value && typeof value === "object" && "path" in value && "reply" in value ? [value as Endpoint] : [],
    ),
  );
}
