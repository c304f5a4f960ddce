/** Milliseconds, in which a browser leaves a page whose requests it has ended. */
const patience = 1500;
let waiting = 0;

/**
 * Waits before a failed request is called failed. Firefox ends the requests of a page as soon as a link is followed, and
 * shows the page until the next one has come.
 */
export async function outlast(): Promise<void> {
  waiting++;
  await new Promise((resolve) => setTimeout(resolve, patience));
  waiting--;
}

// A page from the back-forward cache would go on with a failure.
globalThis.addEventListener?.("pageshow", ({ persisted }) => {
  if (persisted && waiting > 0) window.location.reload();
});
