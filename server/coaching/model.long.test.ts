import { randomInt } from "node:crypto";

// The test's name has its seed, which COACHING_SEED repeats.
process.env.COACHING_STEPS ??= "20000";
process.env.COACHING_SEED ??= String(randomInt(2 ** 31));
await import("./model.integration.test.ts");
