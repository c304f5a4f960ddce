/** How many one client may have, and how many all clients together. */
export interface ClientLimits {
  readonly perClient: number;
  readonly total: number;
}

/** Evicts the oldest member when a limit is exceeded: a client that makes progress leaves the pool before its turn. */
export class EvictingPool<Member> {
  evicted = 0;
  /** At most one entry for each member, of about 300 bytes. */
  private readonly clients = new Map<string, Set<Member>>();
  /** At most `total` entries of about 100 bytes, beside the members themselves. */
  private readonly members = new Map<Member, string | null>();
  private readonly limits: ClientLimits;
  private readonly evict: (member: Member) => void;

  constructor(limits: ClientLimits, evict: (member: Member) => void) {
    this.limits = limits;
    this.evict = evict;
  }

  get size(): number {
    return this.members.size;
  }

  /** @param client null: counts towards `total` only. */
  add(client: string | null, member: Member): void {
    this.members.set(member, client);
    if (client !== null) {
      const own = this.clients.get(client) ?? new Set();
      this.clients.set(client, own.add(member));
      if (own.size > this.limits.perClient) this.evictFirst(own);
    }
    if (this.members.size > this.limits.total) this.evictFirst(this.members.keys());
  }

  delete(member: Member): boolean {
    const client = this.members.get(member);
    if (client === undefined) return false;
    this.members.delete(member);
    if (client === null) return true;
    const own = this.clients.get(client);
    own?.delete(member);
    if (own?.size === 0) this.clients.delete(client);
    return true;
  }

  evictOldestOf(client: string): boolean {
    const own = this.clients.get(client);
    if (!own) return false;
    this.evictFirst(own);
    return true;
  }

  evictOldest(): boolean {
    if (this.members.size === 0) return false;
    this.evictFirst(this.members.keys());
    return true;
  }

  private evictFirst(members: Iterable<Member>): void {
    for (const member of members) {
      this.delete(member);
      this.evicted += 1;
      this.evict(member);
      return;
    }
  }
}
