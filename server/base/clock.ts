/** The only source of "now": the sandbox moves it in a demo. */
export interface Clock {
  now(): Date;
  /**
   * Calls the listener when somebody moves the clock, and waits for it, so that everything due has run. Passing time
   * calls nobody.
   */
  onMove(listener: () => Promise<void>): void;
  /** Somebody moves this clock by hand, so that much may fall due at once. */
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
