import { expect, test } from "vitest";
import { hashPassword, isPassword } from "./passwords.ts";

test("a hash belongs to its password only, and two hashes of one password differ", async () => {
  const [one, two] = await Promise.all([hashPassword("seven kettles"), hashPassword("seven kettles")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await isPassword("seven kettles", one)).toBe(true);
  expect(await isPassword("seven kettlez", one)).toBe(false);
});

test("an accent typed as two characters is the same accent", async () => {
  expect(await isPassword("cafe\u0301 noir", await hashPassword("caf\u00e9 noir"))).toBe(true);
});

test("a hash made at another cost can still be checked", async () => {
  // The reference implementation's output for "password" with salt "somesalt", m=256, t=2, p=1.
  const reference = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
  expect(await isPassword("password", reference)).toBe(true);
});

test("what is no hash belongs to no password", async () => {
  for (const hash of ["", "plain", "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA"]) {
    expect(await isPassword("plain", hash)).toBe(false);
  }
});
