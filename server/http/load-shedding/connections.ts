import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Crowd, type CrowdLimits } from "./evicting-pool.ts";

export interface Connections {
  count(): number;
  ended(): number;
}

/** A new one replaces the idlest, of the same peer first. `peerOf` gives null for a proxy: everybody is behind it. */
export function limitConnections(
  server: Server,
  limits: CrowdLimits,
  peerOf: (address: string) => string | null,
): Connections {
  const idle = new Crowd<Socket>({ each: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY }, (socket) =>
    socket.destroy(),
  );
  const open = new Map<string, number>();
  let count = 0;
  let refused = 0;

  const peers = new WeakMap<Socket, string | null>();

  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket.remoteAddress ?? "");
    const own = peer === null ? 0 : (open.get(peer) ?? 0);
    const hasRoom =
      (peer === null || own < limits.each || idle.endLongestOf(peer)) && (count < limits.all || idle.endLongest());
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
    response.once("close", () => {
      if (!socket.destroyed) idle.add(peers.get(socket) ?? null, socket);
    });
  });
  return { count: () => count, ended: () => idle.ended + refused };
}
