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
import { languageName } from "#contract/languages.ts";
import { chooseCaptions, useCaptionLanguage } from "./caption-choice.ts";
import type { Media } from "./media.ts";

/** The controls below a video. `player.css` hides those that the video or the browser does not support. */
export function PlayerBar({ media, languages }: { media: Media | null; languages: readonly string[] }) {
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
      {languages.length > 1 && <LanguageSelect languages={languages} />}
      <SpeedButton media={media} />
      {/* The library does not notice a browser or an embedding page that forbids it. */}
      {document.pictureInPictureEnabled && <MediaPipButton className="player-wide" />}
      <MediaFullscreenButton />
    </MediaControlBar>
  );
}

/** Replaces the library's roles, which do not allow the states and names of these elements. */
function withRole(role: string): (element: HTMLElement | null) => void {
  return (element) => element?.setAttribute("role", role);
}

/** Choosing a language shows its captions. */
function LanguageSelect({ languages }: { languages: readonly string[] }) {
  return (
    <select
      aria-label="Language of captions"
      value={useCaptionLanguage(languages)}
      onChange={({ target }) => chooseCaptions({ language: target.value, isShown: true })}
      className="player-language"
      // Otherwise the player would use these keys for itself.
      {...{ keysused: "ArrowUp ArrowDown ArrowLeft ArrowRight Enter Space c f j k l m" }}
    >
      {languages.map((language) => (
        <option key={language} value={language} lang={language}>
          {languageName(language, language)}
        </option>
      ))}
    </select>
  );
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
        if (!media) return;
        media.playbackRate = rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1;
        keepRate(media.playbackRate);
      }}
      className="player-speed"
      // Otherwise the player would use these keys for play and pause.
      {...{ keysused: "Enter Space" }}
    >
      {rate}x
    </button>
  );
}

/** The media's speed. Begins with the one that the viewer last chose in this browser. */
function useRate(media: Media | null): number {
  const [rate, setRate] = useState(1);
  useEffect(() => {
    if (!media) return;
    const listening = new AbortController();
    const { signal } = listening;
    const restore = () => {
      media.playbackRate = keptRate();
    };
    media.addEventListener("ratechange", () => setRate(media.playbackRate), { signal });
    // Each video that is loaded begins at 1.
    media.addEventListener("loadedmetadata", restore, { signal });
    if (media.readyState > 0) restore();
    return () => listening.abort();
  }, [media]);
  return rate;
}

const key = "playback-rate";

/** 1 also where storage is blocked. */
function keptRate(): number {
  try {
    const kept = Number(window.localStorage.getItem(key));
    return rates.includes(kept) ? kept : 1;
  } catch {
    return 1;
  }
}

function keepRate(rate: number): void {
  try {
    window.localStorage.setItem(key, String(rate));
  } catch {
    // The next video begins at 1.
  }
}
