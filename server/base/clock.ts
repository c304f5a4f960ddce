/** The only source of "now". In the demo the sandbox moves it; in production it is the system's. */
export interface Clock {
  now(): Date;
  /** Waits for the listener, so that who moved the clock sees all that fell due. Passing time calls nobody. */
  onMove(listener: () => Promise<void>): void;
}

export const systemClock: Clock = { now: () => new Date(), onMove: () => {} };

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The instant `milliseconds` after `start`. */
export function after(start: Date, milliseconds: number): Date {
  return new Date(start.getTime() + milliseconds);
}
