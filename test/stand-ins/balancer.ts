import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Passes each connection on to the next node in turn that takes it, as a proxy in front of several does. */
export async function openBalancer(ports: () => readonly number[]): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer({ pauseOnConnect: true }, (from) => {
    sockets.add(from.once("close", () => sockets.delete(from)));
    const all = ports();
    turn += 1;
    const pass = (tried: number) => {
      const port = all[(turn + tried) % all.length];
      if (port === undefined || tried === all.length) return from.destroy();
      const to = connect({ host: "127.0.0.1", port });
      const refused = () => pass(tried + 1);
      to.once("error", refused).once("connect", () => {
        to.off("error", refused).on("error", () => from.destroy());
        from.on("error", () => to.destroy());
        to.pipe(from);
        from.pipe(to);
      });
    };
    pass(0);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
