import { globSync } from "node:fs";
import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  // Sorted, so that each machine generates the tables in the same order.
  schema: globSync("{issuer,server/*}/tables.ts").sort(),
  out: "./server/db/migrations",
});
