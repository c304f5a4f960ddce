import { escapeHtml } from "#server/http/html.ts";

/** Text as it stands in HTML, with its addresses as links. */
export function linked(text: string): string {
  // Every second piece is an address; the full stop after it belongs to the sentence.
  const pieces = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/g);
  return pieces
    .map((piece, index) => {
      const shown = escapeHtml(piece);
      return index % 2 === 1 ? `<a href="${shown}" target="_blank" rel="noreferrer">${shown}</a>` : shown;
    })
    .join("");
}

/** "2026-12-21 14:05:09", which is UTC */
export function shortTime(at: string): string {
  return at.slice(0, 19).replace("T", " ");
}

/**
 * What the page's script needs to tell what the last step changed: which row it is, and what it says that may change.
 * The mark is unhidden where something did.
 */
export function tracked(key: string, state: string): { attributes: string; mark: string } {
  return {
    attributes: `data-key="${escapeHtml(key)}" data-state="${escapeHtml(state)}"`,
    mark: `<span class="mark" data-mark hidden></span>`,
  };
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
