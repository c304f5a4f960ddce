import { connect, createServer, type Socket } from "node:net";
import { listening } from "../listening.ts";

const askEveryMs = 100;

/**
 * Forwards connections to ready nodes in turn. Polls the nodes' readiness continuously, so that no connection goes to
 * a node that is about to close.
 */
export async function openLoadBalancer(): Promise<
  { readonly port: number; serve(nodes: readonly number[]): AsyncDisposable } & AsyncDisposable
> {
  const sockets = new Set<Socket>();
  let ready: readonly number[] = [];
  let turn = 0;
  const server = createServer({ pauseOnConnect: true }, (from) => {
    sockets.add(from.once("close", () => sockets.delete(from)).on("error", () => from.destroy()));
    const port = ready[turn++ % ready.length];
    if (port === undefined) return from.destroy();
    const to = connect({ host: "127.0.0.1", port }).on("error", () => from.destroy());
    from.once("close", () => to.destroy());
    to.pipe(from);
    from.pipe(to);
  });
  return {
    port: await listening(server),
    serve(nodes) {
      const isReady = (port: number) =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      const timer = setInterval(async () => {
        const answers = await Promise.all(nodes.map(isReady));
        const answering = nodes.filter((_, at) => answers[at]);
        // As real ones do, keeps to the former nodes where none is ready: on a busy machine both can answer too late.
        if (answering.length > 0) ready = answering;
      }, askEveryMs);
      return { [Symbol.asyncDispose]: async () => clearInterval(timer) };
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
