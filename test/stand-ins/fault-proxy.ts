import { once } from "node:events";
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/**
 * Stands between two programs and does to their connections what networks do. `onAnswer` is called with each piece that
 * comes back, before it is passed on.
 */
export async function openFaultProxy(target: NetConnectOpts, onAnswer: () => void = () => {}) {
  const nears = new Set<Socket>();
  let isCut = false;
  let refused = 0;
  let held: (() => void)[] | null = null;

  function pass(from: Socket, to: Socket, seen: () => void): void {
    from.on("data", (piece) => {
      seen();
      if (held) held.push(() => to.write(piece));
      else to.write(piece);
    });
    // The end of one side is the end of both; an error is followed by its close.
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    /** How many connections were refused so far. */
    refused: () => refused,
    /** Ends every connection on the spot and refuses new ones. */
    cut(): void {
      isCut = true;
      for (const near of nears) near.resetAndDestroy();
    },
    /** From now on nothing arrives, and nobody is told. */
    hold(): void {
      held = [];
    },
    /** All is well again, and what was held arrives. */
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
