import { join } from "node:path";
import type pg from "pg";
import { watchDisk } from "./disk.ts";
import { type OpenLoop, type Sent, sendEvenly } from "./load/open-loop.ts";
import { openViewers } from "./load/viewers.ts";
import { sendNotes } from "./load/wrk.ts";
import { msSince, processorMs, processorTimes, shareBusy } from "./processors.ts";
import { figure, rate } from "./report.ts";

const viewers = 25_000;
const beginning = { viewers: 4000, seconds: 4 };
/** The rate of 50,000 to 67,000 players that send every 30 to 40 seconds. */
const perSecond = 1667;
const goalMs = 100;
/** A pause of the machine may spoil one try. A rate that misses all its tries is more than a node can handle. */
const knee = { step: 500, to: 10_000, seconds: 5, tries: 3, goal: 4000 };

const number = (value: number) => Math.round(value).toLocaleString("en-US");

/**
 * Heartbeats at a constant rate, regardless of replies: first from students who all begin within four seconds, then for
 * some minutes, then for as many minutes by wrk, as an independent check of our own figures. Then checks the database
 * for all of them, raises the rate until one in a hundred waits too long, and finally sends twice that rate.
 * @returns whether all heartbeats before the last rate were accepted and stored, and each later one got a reply
 */
export async function measureHeartbeats(
  to: {
    readonly connection: pg.ClientConfig;
    readonly origin: string;
    readonly secret: string;
    /** On the database's disk, if that is ours. */
    readonly folder: string;
    /** The current processes. Empty for a database elsewhere. */
    readonly processes: () => { readonly node: readonly number[]; readonly database: readonly number[] };
  },
  minutes: number,
): Promise<boolean> {
  const watching = await openViewers(viewers, to);
  let before = 0;
  const send = async (each: number, seconds: number): Promise<OpenLoop> => {
    const first = before;
    const result = await sendEvenly(to.origin, each, seconds, (n) => watching.heartbeat(first + n));
    before += result.sent;
    return result;
  };

  const begun = await send(beginning.viewers / beginning.seconds, beginning.seconds);
  console.log(`\n${number(begun.sent)} viewers begin within ${beginning.seconds} s: ${failuresOf(begun)}.`);
  console.log(figure("first note, worst", begun.worstMs, "ms", 1000));

  const processors = processorTimes();
  const took = () => Object.values({ ...to.processes(), bench: [process.pid] }).map(processorMs);
  const tookBefore = took();
  const worstOfDisk = watchDisk(join(to.folder, "disk"));
  const even = await send(perSecond, minutes * 60);
  const [node, database, bench] = took().map((now, at) =>
    number((msSince(tookBefore[at] ?? new Map(), now) * 1000) / even.sent),
  );
  const busy = shareBusy(processors, processorTimes());
  console.log(`\n${number(even.sent)} heartbeats, an even ${number(perSecond)}/s: ${failuresOf(even)}.`);
  printWaits(even);
  console.log(figure("processors busy", busy * 100, "%", 75));
  console.log(`of a processor, each took the node ${node} µs, the database ${database} µs, and this bench ${bench} µs`);

  const fromOutside = await sendNotes(watching, before, perSecond, minutes * 60, join(to.folder, "viewers"), to.origin);
  before += fromOutside.sent;
  console.log(
    `\n${number(fromOutside.sent)} more by wrk: ${fromOutside.refused} refused, ${fromOutside.lost} without an answer.`,
  );
  printWaits(fromOutside);
  console.log(`Meanwhile the disk alone took up to ${number(await worstOfDisk())} ms for a block.`);
  const [is, shouldBe] = [await watching.kept(), watching.expected(before)];
  console.log(
    `The database holds ${number(is.records)} of ${number(shouldBe.records)} records ` +
      `and ${number(is.secondsWatched)} of ${number(shouldBe.secondsWatched)} seconds watched.`,
  );
  const isKept = is.records === shouldBe.records && is.secondsWatched === shouldBe.secondsWatched;

  const most = await findKnee((each) => send(each, knee.seconds));
  console.log(rate("\nheartbeats, knee", most, knee.goal));

  const over = await send(2 * Math.max(most, perSecond), knee.seconds);
  console.log(`\n${number(over.sent)} heartbeats, twice as many a second: ${failuresOf(over)}.`);
  console.log(figure("refusal, p99", over.refusedP99Ms, "ms", goalMs));
  console.log(figure("… in the server", over.refusedInServerP99Ms, "ms", goalMs));
  console.log(figure("accepted, p99", over.p99Ms, "ms", 1000));
  return [begun, even, fromOutside].every(({ refused, lost }) => refused + lost === 0) && isKept && over.lost === 0;
}

function printWaits({ p50Ms, p99Ms, worstMs }: Sent): void {
  console.log(figure("heartbeat, median", p50Ms, "ms", goalMs / 2));
  console.log(figure("heartbeat, p99", p99Ms, "ms", goalMs));
  console.log(figure("heartbeat, worst", worstMs, "ms", 1000));
}

/** The highest rate at which all are accepted and 99 of 100 are in time. 0 when the lowest is too much. */
async function findKnee(send: (each: number) => Promise<OpenLoop>): Promise<number> {
  const isTakenIn = async (each: number) => {
    for (let tried = 0; tried < knee.tries; tried++) {
      const { p99Ms, refused, lost } = await send(each);
      if (p99Ms <= goalMs && refused + lost === 0) return true;
    }
    return false;
  };
  let most = 0;
  while (most < knee.to && (await isTakenIn(most + knee.step))) most += knee.step;
  return most;
}

function failuresOf({ seconds, refused, lost }: OpenLoop): string {
  return `${seconds.toFixed(1)} s, ${number(refused)} refused, ${number(lost)} without an answer`;
}
