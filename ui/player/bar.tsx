import {
  MediaCaptionsButton,
  MediaControlBar,
  MediaFullscreenButton,
  MediaMuteButton,
  MediaPipButton,
  MediaPlayButton,
  MediaSeekBackwardButton,
  MediaSeekForwardButton,
  MediaTimeDisplay,
  MediaTimeRange,
  MediaVolumeRange,
} from "media-chrome/react";
import { useEffect, useState } from "react";
import type { Media } from "./media.ts";

/** The controls below a video. The library hides what the video or the browser does not support. */
export function PlayerBar({ media }: { media: Media | null }) {
  return (
    <MediaControlBar className="player-bar">
      <MediaPlayButton />
      <MediaSeekBackwardButton seekOffset={10} className="player-wide" />
      <MediaSeekForwardButton seekOffset={10} className="player-wide" />
      <MediaTimeRange />
      <MediaTimeDisplay showDuration noToggle ref={withRole("timer")} />
      <MediaMuteButton className="player-wide" />
      <MediaVolumeRange className="player-roomy" />
      <MediaCaptionsButton ref={withRole("switch")} />
      <SpeedButton media={media} />
      <MediaPipButton className="player-wide" />
      <MediaFullscreenButton />
    </MediaControlBar>
  );
}

/** Replaces the library's roles, which do not allow the states and names of these elements. */
function withRole(role: string): (element: HTMLElement | null) => void {
  return (element) => element?.setAttribute("role", role);
}

const rates = [1, 1.25, 1.5, 2, 0.75];

/**
 * Our own, because the library's button shows "1x" but is named "Playback rate 1", so voice control does not find it.
 */
function SpeedButton({ media }: { media: Media | null }) {
  const rate = useRate(media);
  return (
    <button
      type="button"
      aria-label={`${rate}x speed`}
      onClick={() => {
        if (media) media.playbackRate = rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1;
      }}
      className="player-speed"
      // Otherwise the player would use these keys for play and pause.
      {...{ keysused: "Enter Space" }}
    >
      {rate}x
    </button>
  );
}

function useRate(media: Media | null): number {
  const [rate, setRate] = useState(1);
  useEffect(() => {
    if (!media) return;
    const read = () => setRate(media.playbackRate);
    media.addEventListener("ratechange", read);
    return () => media.removeEventListener("ratechange", read);
  }, [media]);
  return rate;
}
