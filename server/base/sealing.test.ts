import { expect, test } from "vitest";
import { sealingFor } from "./sealing.ts";

const { seal, unseal } = sealingFor("tests");
const [old, current] = ["o".repeat(32), "c".repeat(32)];

test("a sealed text opens with the secret it was sealed with, also when that is no longer the first", () => {
  const sealed = seal([old], "ada", "JBSWY3DPEHPK3PXP");
  expect(sealed).not.toContain("JBSWY3DPEHPK3PXP");
  expect(unseal([old], "ada", sealed)).toBe("JBSWY3DPEHPK3PXP");
  expect(unseal([current, old], "ada", sealed)).toBe("JBSWY3DPEHPK3PXP");
});

test("a sealed text opens for no other owner, secret or purpose, and not when it was changed", () => {
  const sealed = seal([current], "ada", "JBSWY3DPEHPK3PXP");
  expect(unseal([current], "grace", sealed)).toBeNull();
  expect(unseal([old], "ada", sealed)).toBeNull();
  expect(sealingFor("another purpose").unseal([current], "ada", sealed)).toBeNull();
  const changed = Buffer.from(sealed, "base64url");
  changed[30] = (changed[30] ?? 0) ^ 1;
  expect(unseal([current], "ada", changed.toString("base64url"))).toBeNull();
  for (const junk of ["", "x", "AAAA"]) expect(unseal([current], "ada", junk)).toBeNull();
});
