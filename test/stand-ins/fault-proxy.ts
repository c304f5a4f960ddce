import { once } from "node:events";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { listening } from "../listening.ts";

/** A TCP proxy that simulates network faults. Calls `onAnswer` with each chunk of a reply before it forwards it. */
export async function openFaultProxy(target: NetConnectOpts, onAnswer: (chunk: Buffer) => void = () => {}) {
  const nears = new Set<Socket>();
  let isCut = false;
  let refused = 0;
  let held: (() => void)[] | null = null;

  function pass(from: Socket, to: Socket, seen: (chunk: Buffer) => void): void {
    from.on("data", (piece) => {
      seen(piece);
      if (held) held.push(() => to.write(piece));
      else to.write(piece);
    });
    // When one side ends, ends both. An error is followed by "close".
    from.on("error", () => {});
    from.on("close", () => {
      nears.delete(from);
      to.destroy();
    });
  }

  const server = createServer((near) => {
    if (isCut) {
      refused += 1;
      near.on("error", () => {}).resetAndDestroy();
      return;
    }
    const far = connect(target);
    nears.add(near);
    pass(near, far, () => {});
    pass(far, near, onAnswer);
  });
  return {
    port: await listening(server),
    /** The number of refused connections. */
    refused: () => refused,
    /** Closes all connections and refuses new ones. */
    cut(): void {
      isCut = true;
      for (const near of nears) near.resetAndDestroy();
    },
    /** Silently holds all data back. */
    hold(): void {
      held = [];
    },
    /** Ends the fault, and forwards the data that was held back. */
    heal(): void {
      isCut = false;
      const late = held ?? [];
      held = null;
      for (const send of late) send();
    },
    async [Symbol.asyncDispose]() {
      for (const near of nears) near.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
