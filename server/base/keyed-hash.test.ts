import { expect, test } from "vitest";
import { keyedHash } from "./keyed-hash.ts";

test("a hash differs by text and by secret", () => {
  const hash = keyedHash(["secret"]);
  expect(hash("203.0.113.7")).toBe(hash("203.0.113.7"));
  expect(hash("203.0.113.7")).not.toBe(hash("203.0.113.8"));
  expect(hash("203.0.113.7")).not.toBe(keyedHash(["another"])("203.0.113.7"));
});

test("a rotated secret does not change the hash while nodes with the old one run", () => {
  expect(keyedHash(["new", "old"])("203.0.113.7")).toBe(keyedHash(["old"])("203.0.113.7"));
});
