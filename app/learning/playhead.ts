import type { Media } from "#ui/player/media.ts";

/** The position of the lesson's player, and what the parts beside it may do with it. */
export type Playhead = ReturnType<typeof createPlayhead>;

export function createPlayhead() {
  let media: Media | null = null;
  let last = { lessonId: "", at: 0 };
  // At most one for each part beside the player.
  const listeners = new Set<() => void>();
  return {
    /** The second that the lesson has reached; null before it was played on this page. */
    at: (lessonId: string): number | null => (last.lessonId === lessonId ? last.at : null),
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Called by the player. */
    moved(lessonId: string, player: Media): void {
      media = player;
      last = { lessonId, at: player.currentTime };
      for (const listener of listeners) listener();
    },
    /** Called when the player is closed. */
    closed(): void {
      media = null;
    },
    /** Returns false without an open player. */
    seek(at: number): boolean {
      if (media) media.currentTime = at;
      return media !== null;
    },
    /** Pauses the player, and returns a function that resumes it; null if nothing was playing. */
    pause(): (() => void) | null {
      const paused = media;
      if (!paused || paused.paused) return null;
      paused.pause();
      return () => void paused.play()?.catch(() => undefined);
    },
  };
}
