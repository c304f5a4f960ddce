import type { Worker } from "node:cluster";

/** What primary and worker say to each other of a connection's way, beside its handle. */
interface Handover {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

interface Handle {
  close(): void;
}

/**
 * Connections on their way to a worker that dies are closed, so that their clients ask again. Node itself forgets them
 * and keeps them open: their clients would wait for ever. Its messages are only read here, and pass as they are.
 */
export function closeUntakenConnections({ process: channel }: Worker): void {
  const untaken = new Map<number | undefined, Handle>();
  const send = channel.send.bind(channel) as (message: unknown, ...rest: unknown[]) => boolean;
  channel.send = (message: unknown, ...rest: unknown[]) => {
    const { act, seq } = message as Handover;
    if (act === "newconn" && rest[0]) untaken.set(seq, rest[0] as Handle);
    return send(message, ...rest);
  };
  channel.on("internalMessage", ({ ack }: Handover) => untaken.delete(ack));
  // Comes when it has ended and everything that it had said is read; "disconnect" does not while one is on its way.
  channel.once("close", () => {
    for (const handle of untaken.values()) handle.close();
  });
}
