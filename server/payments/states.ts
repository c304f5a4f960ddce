export const attemptKinds = ["initial", "renewal"] as const;
export type AttemptKind = (typeof attemptKinds)[number];

export const attemptInitiators = ["student", "renewal"] as const;
export type AttemptInitiator = (typeof attemptInitiators)[number];

export const attemptStates = ["sent", "unknown", "held", "approved", "declined", "not-processed"] as const;
export type AttemptState = (typeof attemptStates)[number];

/** While an attempt is in one of these, its student cannot pay again. */
export const openStates = ["sent", "unknown", "held"] as const satisfies readonly AttemptState[];

export function isOpen({ state }: { readonly state: AttemptState }): boolean {
  return (openStates as readonly AttemptState[]).includes(state);
}
