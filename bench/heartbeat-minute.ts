import { cpus } from "node:os";
import type pg from "pg";
import { sendEvenly } from "./load/open-loop.ts";
import { openViewers } from "./load/viewers.ts";
import { figure } from "./report.ts";

/** 100,000 in a minute: 25,000 viewers, each heard of every 15 seconds. */
const perSecond = 1667;
const seconds = 60;
const viewers = 25_000;

/**
 * Heartbeats at an even pace for a minute, and then what the database holds of them; prints both.
 * @returns whether every one of them was accepted and answered, and is in the database.
 */
export async function heartbeatMinute(to: {
  readonly connection: pg.ClientConfig;
  readonly origin: string;
  readonly secret: string;
}): Promise<boolean> {
  const { heartbeat, kept, expected } = await openViewers(viewers, to);
  const before = processorTimes();
  const { sent, refused, lost, ...times } = await sendEvenly(to.origin, perSecond, seconds, heartbeat);
  const after = processorTimes();
  const [is, shouldBe] = [await kept(), expected(sent)];
  const number = (value: number) => Math.round(value).toLocaleString("en-US");
  console.log(
    `\n${number(viewers)} viewers at an even ${number(perSecond)} heartbeats/s: ${number(sent)} in ${times.seconds.toFixed(1)} s, ` +
      `${refused} refused, ${lost} without an answer.`,
  );
  console.log(
    `The database holds ${number(is.records)} of ${number(shouldBe.records)} records ` +
      `and ${number(is.secondsWatched)} of ${number(shouldBe.secondsWatched)} seconds watched.`,
  );
  console.log(figure("heartbeat, median", times.p50Ms, "ms", 50));
  console.log(figure("heartbeat, p99", times.p99Ms, "ms", 100));
  console.log(figure("heartbeat, worst", times.worstMs, "ms", 1000));
  const busy = 1 - (after.idle - before.idle) / (after.all - before.all);
  console.log(figure("processors busy", busy * 100, "%", 75));
  const isKept = is.records === shouldBe.records && is.secondsWatched === shouldBe.secondsWatched;
  return refused === 0 && lost === 0 && isKept;
}

/** Milliseconds of all processors since the machine started, of all processes. */
function processorTimes(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((one) => Object.values(one))) };
}
