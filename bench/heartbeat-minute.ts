import type pg from "pg";
import { sendEvenly } from "./open-loop.ts";
import { openViewers } from "./viewers.ts";

/** 100,000 in a minute: 25,000 viewers, each heard of every 15 seconds. */
const perSecond = 1667;
const seconds = 60;
const viewers = 25_000;

/**
 * Heartbeats at an even pace for a minute, and then what the database holds of them; prints both.
 * @throws Error when a heartbeat was refused, was not answered, or is not in the database.
 */
export async function heartbeatMinute(to: {
  readonly connection: pg.ClientConfig;
  readonly origin: string;
  readonly secret: string;
}): Promise<void> {
  const { heartbeat, kept, expected } = await openViewers(viewers, to);
  const {
    sent,
    refused,
    lost,
    p50Ms,
    p99Ms,
    worstMs,
    seconds: took,
  } = await sendEvenly(to.origin, perSecond, seconds, heartbeat);
  const [is, shouldBe] = [await kept(), expected(sent)];
  const number = (value: number) => Math.round(value).toLocaleString("en-US");
  console.log(
    `\nheartbeats at an even ${number(perSecond)}/s of ${number(viewers)} viewers: ${number(sent)} in ${took.toFixed(1)} s, ` +
      `${refused} refused, ${lost} without an answer   p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  worst ${worstMs.toFixed(0)} ms`,
  );
  console.log(
    `the database holds ${number(is.records)} of ${number(shouldBe.records)} records ` +
      `and ${number(is.secondsWatched)} of ${number(shouldBe.secondsWatched)} seconds watched`,
  );
  if (refused > 0 || lost > 0 || is.records !== shouldBe.records || is.secondsWatched !== shouldBe.secondsWatched) {
    throw new Error("Heartbeats were refused or lost.");
  }
}
