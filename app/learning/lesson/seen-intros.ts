const keyOf = (moduleId: string) => `academy-intro.${moduleId}`;

/** Whether this browser has seen or skipped this version of the introduction. */
export function isIntroSeen(moduleId: string, video: string): boolean {
  try {
    return window.localStorage.getItem(keyOf(moduleId)) === video;
  } catch {
    return false;
  }
}

export function noteIntroSeen(moduleId: string, video: string): void {
  try {
    window.localStorage.setItem(keyOf(moduleId), video);
  } catch {
    // Storage is blocked: the introduction is offered again until the lesson has begun.
  }
}
