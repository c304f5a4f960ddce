import { escapeHtml } from "#server/http/html.ts";

/** Escapes text for HTML, and turns URLs into links. */
export function linked(text: string): string {
  // Odd pieces are URLs. A full stop after one is part of the sentence.
  const pieces = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/g);
  return pieces
    .map((piece, index) => {
      const shown = escapeHtml(piece);
      return index % 2 === 1 ? `<a href="${shown}" target="_blank" rel="noreferrer">${shown}</a>` : shown;
    })
    .join("");
}

/** "2026-12-21 14:05:09", in UTC. */
export function shortTime(at: string): string {
  return at.slice(0, 19).replace("T", " ");
}

/**
 * Attributes by which the page's script detects what the last step changed: the row's key, and its current state. The
 * script shows the mark on changed rows.
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
