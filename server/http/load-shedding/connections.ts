import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ClientLimits, EvictingPool } from "./evicting-pool.ts";

export interface Connections {
  count(): number;
  ended(): number;
}

/**
 * Past a limit a new connection replaces the one that has been idle longest, of the same peer first.
 * @param peerOf null for a trusted proxy: its connections carry many clients, so they count towards `total` only.
 */
export function limitConnections(
  server: Server,
  limits: ClientLimits,
  peerOf: (address: string) => string | null,
): Connections {
  // At most 10,000 entries of about 400 bytes: 4 MB. Connections past `limits` are closed before they are added.
  const idle = new EvictingPool<Socket>(
    { perClient: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY },
    (socket) => socket.destroy(),
  );
  // At most one entry for each connection, 10,000 of about 100 bytes: 1 MB.
  const open = new Map<string, number>();
  let count = 0;
  let refused = 0;

  // At most 10,000 entries of about 20 bytes: 200 kB.
  const peers = new WeakMap<Socket, string | null>();

  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket.remoteAddress ?? "");
    const own = peer === null ? 0 : (open.get(peer) ?? 0);
    const hasRoom =
      (peer === null || own < limits.perClient || idle.evictOldestOf(peer)) &&
      (count < limits.total || idle.evictOldest());
    if (!hasRoom) {
      refused += 1;
      socket.destroy();
      return;
    }
    count += 1;
    peers.set(socket, peer);
    if (peer !== null) open.set(peer, own + 1);
    idle.add(peer, socket);
    socket.once("close", () => {
      count -= 1;
      idle.delete(socket);
      if (peer === null) return;
      const left = (open.get(peer) ?? 1) - 1;
      if (left > 0) open.set(peer, left);
      else open.delete(peer);
    });
  });
  server.on("request", ({ socket }: { socket: Socket }, response: ServerResponse) => {
    if (!idle.delete(socket)) return;
    response.on("close", () => {
      if (!socket.destroyed) idle.add(peers.get(socket) ?? null, socket);
    });
  });
  return { count: () => count, ended: () => idle.evicted + refused };
}
