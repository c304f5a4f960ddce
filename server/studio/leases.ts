import { setTimeout as delay } from "node:timers/promises";
import type { Lock, Locker, RequestRelease } from "@tus/server";
import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import { after, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { videos } from "./tables.ts";

const heldFor = 15 * SECOND;
const renewedEvery = 5 * SECOND;
const waitsFor = 20 * SECOND;
const asksEvery = 200;

/**
 * The right of one request to receive an upload's next piece, on any node. A lease in the upload's row, so that no lock
 * holds a connection of the pool. Its number is compared when the piece is recorded: who was paused and has lost the
 * lease records nothing.
 */
export class UploadLease implements Locker, Lock {
  private readonly ctx: Context;
  private readonly holder: string;
  private id = "";
  private renewing: NodeJS.Timeout | undefined;
  /** Null for an upload that does not exist. */
  number: number | null = null;

  constructor(ctx: Context, holder: string) {
    this.ctx = ctx;
    this.holder = holder;
  }

  newLock(id: string): Lock {
    this.id = id;
    return this;
  }

  /** Waits until the present holder has recorded what it has, or is dead. @throws Refusal conflict. */
  async lock(_signal: AbortSignal, release: RequestRelease): Promise<void> {
    for (const began = performance.now(); performance.now() - began < waitsFor; await delay(asksEvery)) {
      this.number = await this.take();
      if (this.number !== null) {
        this.renewing = setInterval(() => this.renew(release), renewedEvery).unref();
        return;
      }
      if (!(await this.askForRelease())) return;
    }
    throw new Refusal("conflict", "This file is being sent from somewhere else. Please try again in a minute.");
  }

  async unlock(): Promise<void> {
    clearInterval(this.renewing);
    if (this.number === null) return;
    await this.ctx.db.update(videos).set({ lockedBy: null, lockedUntil: null }).where(this.isHeld());
  }

  private async take(): Promise<number | null> {
    const now = this.ctx.clock.now();
    const [row] = await this.ctx.db
      .update(videos)
      .set({
        lockedBy: this.holder,
        lockedUntil: after(now, heldFor),
        lockNumber: sql`${videos.lockNumber} + 1`,
        lockWanted: false,
      })
      .where(and(eq(videos.id, this.id), or(isNull(videos.lockedUntil), lte(videos.lockedUntil, now))))
      .returning({ number: videos.lockNumber });
    return row?.number ?? null;
  }

  /** False when there is no such upload. */
  private async askForRelease(): Promise<boolean> {
    const asked = await this.ctx.db
      .update(videos)
      .set({ lockWanted: true })
      .where(eq(videos.id, this.id))
      .returning({ id: videos.id });
    return asked.length > 0;
  }

  /** Releases for somebody who waits: a client whose connection is dead would hold the lease as long as it is silent. */
  private async renew(release: RequestRelease): Promise<void> {
    try {
      const [row] = await this.ctx.db
        .update(videos)
        .set({ lockedUntil: after(this.ctx.clock.now(), heldFor) })
        .where(this.isHeld())
        .returning({ isWanted: videos.lockWanted });
      if (!row || row.isWanted) await release();
    } catch (error) {
      this.ctx.log.warn({ err: error, videoId: this.id }, "the lease of an upload could not be renewed");
    }
  }

  private isHeld() {
    return and(eq(videos.id, this.id), eq(videos.lockNumber, this.number ?? -1));
  }
}
