import { expect, test } from "vitest";
import { divideConnections, wholePools } from "./connections.ts";

const embedded = { max: 40, isOwn: true };

test("the workers that fit never open more connections than the database has", () => {
  for (const isOwn of [true, false]) {
    for (const max of [20, 40, 97, 200, 1000]) {
      for (let workers = 2; workers <= 64; workers++) {
        const sizes = divideConnections({ max, isOwn }, workers);
        if ("fitting" in sizes) {
          expect(sizes.fitting).toBeLessThan(workers);
          continue;
        }
        const { main, payments, reads } = sizes;
        expect(Math.min(main, payments, reads)).toBeGreaterThanOrEqual(2);
        // Two nodes share a server, and commands need some too.
        expect(workers * (main + payments + reads + 1) * (isOwn ? 1 : 2)).toBeLessThan(max);
      }
    }
  }
});

test("with enough connections each worker gets as many as a single process", () => {
  // docs/deployment.md says how many; the server keeps three for superusers.
  for (const workers of [1, 2, 4, 16]) {
    const max = 15 + 38 * workers - 3;
    expect(divideConnections({ max, isOwn: false }, workers)).toEqual(wholePools);
    expect(divideConnections({ max: max - 1, isOwn: false }, workers)).not.toEqual(wholePools);
  }
});

test("the embedded database has connections for four workers", () => {
  expect(divideConnections(embedded, 2)).toEqual({ main: 10, payments: 3, reads: 3 });
  expect(divideConnections(embedded, 4)).toEqual({ main: 3, payments: 2, reads: 2 });
  expect(divideConnections(embedded, 5)).toEqual({ fitting: 4 });
});
