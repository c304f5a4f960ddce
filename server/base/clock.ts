/** The only source of "now": the sandbox moves it in a demo. */
export interface Clock {
  now(): Date;
  /** Waits for the listener, so that the mover of the clock sees all that fell due. Passing time calls nobody. */
  onMove(listener: () => Promise<void>): void;
  /** It is moved by hand: what fell due on the way could not be done earlier. */
  readonly jumps?: true;
}

export const systemClock: Clock = { now: () => new Date(), onMove: () => {} };

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function after(start: Date, milliseconds: number): Date {
  return new Date(start.getTime() + milliseconds);
}
