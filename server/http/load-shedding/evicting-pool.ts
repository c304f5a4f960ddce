export interface CrowdLimits {
  readonly each: number;
  readonly all: number;
}

/** Past a limit the one that has waited longest ends, so that anybody who goes on soon is never turned away. */
export class Crowd<Member> {
  ended = 0;
  private readonly clients = new Map<string, Set<Member>>();
  private readonly members = new Map<Member, string | null>();
  private readonly limits: CrowdLimits;
  private readonly end: (member: Member) => void;

  constructor(limits: CrowdLimits, end: (member: Member) => void) {
    this.limits = limits;
    this.end = end;
  }

  get size(): number {
    return this.members.size;
  }

  /** @param client null counts among all alone. */
  add(client: string | null, member: Member): void {
    this.members.set(member, client);
    if (client !== null) {
      const own = this.clients.get(client) ?? new Set();
      this.clients.set(client, own.add(member));
      if (own.size > this.limits.each) this.endFirst(own);
    }
    if (this.members.size > this.limits.all) this.endFirst(this.members.keys());
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

  endLongestOf(client: string): boolean {
    const own = this.clients.get(client);
    if (!own) return false;
    this.endFirst(own);
    return true;
  }

  endLongest(): boolean {
    if (this.members.size === 0) return false;
    this.endFirst(this.members.keys());
    return true;
  }

  private endFirst(members: Iterable<Member>): void {
    for (const member of members) {
      this.delete(member);
      this.ended += 1;
      this.end(member);
      return;
    }
  }
}
