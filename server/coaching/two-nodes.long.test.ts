import { randomInt } from "node:crypto";

// The model's test has the seed in its name, which COACHING_SEED repeats.
process.env.COACHING_STEPS ??= "20000";
process.env.COACHING_SEED ??= String(randomInt(2 ** 31));
process.env.COACHING_CROWD ??= "200";
process.env.REMINDER_STUDENTS ??= "4";
await import("./two-nodes.integration.test.ts");
