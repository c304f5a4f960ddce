import { createReadStream } from "node:fs";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

export interface Scanner {
  /**
   * @throws Refusal infected; unavailable when the scanner does not confirm, for whatever reason, that the file is
   * clean
   */
  requireClean(path: string): Promise<void>;
  /** Resolves when the scanner answers. @throws Error with the reason. */
  greet(): Promise<void>;
}

/** How long a connection may be silent; clamd itself gives up on a file after two minutes. */
const idleTimeout = 130 * SECOND;
const greetingTimeout = 5 * SECOND;
const chunkSize = 256 * 1024;

/** @param url `tcp://host:port`; each file is sent by INSTREAM over its own connection */
export function clamdScanner(url: string, idle = idleTimeout): Scanner {
  const { hostname, port } = new URL(url);
  const address = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 3310) };

  return {
    async requireClean(path) {
      const answer = await ask(address, idle, () => framesOf(path)).catch((error) => {
        throw notScanned(error);
      });
      if (answer === "stream: OK") return;
      const found = /^stream: (.+) FOUND$/.exec(answer)?.[1];
      if (!found) throw notScanned(new Error(`the malware scanner answered: ${answer || "nothing"}`));
      throw new Refusal("infected", `The malware scanner found ${found} in the file. Nothing was stored.`);
    },

    async greet() {
      const answer = await ask(address, Math.min(idle, greetingTimeout), () => Readable.from([Buffer.from("zPING\0")]));
      if (answer !== "PONG") throw new Error(`it answered: ${answer || "nothing"}`);
    },
  };
}

async function ask(
  address: { host: string; port: number },
  idle: number,
  question: () => AsyncIterable<Uint8Array>,
): Promise<string> {
  const socket = connect(address);
  socket.setTimeout(idle, () => socket.destroy(new Error("the malware scanner is silent")));
  let answer = "";
  socket.setEncoding("utf8").on("data", (text) => {
    answer = (answer + text).slice(0, 1000);
  });
  let failure: Error | undefined;
  socket.on("error", (error) => {
    failure = error;
  });
  // clamd may answer and stop reading early, as for a file larger than its limit.
  socket.once("end", () => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await pipeline(question, socket, { end: false }).catch((error) => {
    failure ??= error;
    socket.destroy();
  });
  await closed;
  if (failure && !answer) throw failure;
  return answer.split("\0", 1)[0]?.trim() ?? "";
}

async function* framesOf(path: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from("zINSTREAM\0");
  for await (const chunk of createReadStream(path, { highWaterMark: chunkSize }) as AsyncIterable<Buffer>) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    yield length;
    yield chunk;
  }
  yield Buffer.alloc(4);
}

function notScanned(cause: unknown): Error {
  const refusal = new Refusal(
    "unavailable",
    "We couldn't check the file for malware, so we didn't save it. Please try again later.",
    { retryAfterSeconds: 60 },
  );
  return Object.assign(refusal, { cause });
}
