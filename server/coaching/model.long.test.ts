import { randomInt } from "node:crypto";

// The name of the test says which walk it was: COACHING_SEED takes it again.
process.env.COACHING_STEPS ??= "20000";
process.env.COACHING_SEED ??= String(randomInt(2 ** 31));
await import("./model.integration.test.ts");
