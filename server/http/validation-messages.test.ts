import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { dollars } from "#contract/dollars.ts";
import { setFormMessages } from "#contract/validation-messages.ts";

beforeAll(setFormMessages);

const said = (schema: z.ZodType, input: unknown) => schema.safeParse(input).error?.issues.map(({ message }) => message);

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "Required"],
  [z.number(), null, "Required"],
  [z.string().trim().min(1), "  ", "Required"],
  [z.enum(["basic", "vip"]), undefined, "Required"],
  [z.iso.date(), "soon", "Invalid date"],
  [z.string().regex(/^a$/), "b", "Invalid format"],
  [z.string(), 7, "Enter text"],
  [z.int(), 1.5, "Enter a whole number"],
  [z.string().max(3), "four", "Use 3 characters or fewer"],
  [z.string().min(3), "ab", "Use 3 characters or more"],
  [z.number().min(1), 0, "Enter 1 or more"],
  [dollars(1), 0, "Enter at least $1.00"],
  [dollars(0.01), 0, "Enter at least $0.01"],
  [dollars(1), 1e6, "Enter $99,999.00 or less"],
  [dollars(1), 1.005, "Enter an amount such as 49 or 49.50"],
  [z.number().positive(), 0, "Enter more than 0"],
  [z.enum(["basic", "vip"]), "gold", "Choose one of: basic, vip"],
  [z.strictObject({}), { surprise: 1 }, "Unknown: surprise"],
])("what a schema refuses is said as forms say it (%#)", (schema, input, sentence) => {
  expect(said(schema, input)).toEqual([sentence]);
});

test("a schema keeps its own message", () => {
  expect(said(z.string().min(1, "Say why"), "")).toEqual(["Say why"]);
});
