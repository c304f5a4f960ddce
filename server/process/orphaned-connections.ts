import type { Worker } from "node:cluster";

/** A message between primary and worker by which Node hands over a connection. */
interface Handover {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

interface Handle {
  close(): void;
}

/**
 * Closes connections that the primary has handed to a worker which died before it took them, so that their clients retry.
 * Node forgets these and keeps them open, and their clients would wait for ever. This only reads Node's messages.
 */
export function closeOrphanedConnections({ process: channel }: Worker): void {
  // At most one entry for each port: Node hands a worker the next connection when it has taken this one.
  const pending = new Map<number | undefined, Handle>();
  const send = channel.send.bind(channel) as (message: unknown, ...rest: unknown[]) => boolean;
  channel.send = (message: unknown, ...rest: unknown[]) => {
    const { act, seq } = message as Handover;
    if (act === "newconn" && rest[0]) pending.set(seq, rest[0] as Handle);
    return send(message, ...rest);
  };
  channel.on("internalMessage", ({ ack }: Handover) => pending.delete(ack));
  // "close" comes once the process has ended and its messages are read; "disconnect" does not while a handover is pending.
  channel.once("close", () => {
    for (const handle of pending.values()) handle.close();
  });
}
