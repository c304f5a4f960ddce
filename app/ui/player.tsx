import "./player.css";
import {
  MediaCaptionsButton,
  MediaControlBar,
  MediaController,
  MediaFullscreenButton,
  MediaLoadingIndicator,
  MediaMuteButton,
  MediaPipButton,
  MediaPlayButton,
  MediaSeekBackwardButton,
  MediaSeekForwardButton,
  MediaTimeDisplay,
  MediaTimeRange,
  MediaVolumeRange,
} from "media-chrome/react";
import { type ComponentProps, useEffect, useRef, useState } from "react";

type Handlers = Pick<
  ComponentProps<"video">,
  "onPlay" | "onPause" | "onTimeUpdate" | "onSeeked" | "onEnded" | "onError"
>;

interface PlayerProps extends Handlers {
  /** What plays; names the player for screen readers. */
  label: string;
  src: string;
  poster: string | null;
  captions: string | null;
  /** Seconds at which to begin, once the length is known. */
  startAt: number;
}

/**
 * A video with one bar of controls: keyboard, captions, speed, picture in picture, full screen. It never starts by
 * itself. The default export, because pages load it only when there is something to play.
 */
export default function Player({ label, src, poster, captions, startAt, ...handlers }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const hasBegun = useRef(false);
  const [rate, setRate] = useState(1);

  function begin(): void {
    if (!video.current || hasBegun.current) return;
    hasBegun.current = true;
    if (startAt > 0) video.current.currentTime = startAt;
  }

  // The element starts to load before React puts it on the page, and an event that comes so early is not heard.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the element is on the page
  useEffect(() => {
    if (video.current && video.current.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
  }, []);

  return (
    <MediaController role="region" aria-label={label} className="player">
      <video
        ref={video}
        slot="media"
        src={src}
        poster={poster ?? undefined}
        preload="metadata"
        playsInline
        onLoadedMetadata={begin}
        onRateChange={({ currentTarget }) => setRate(currentTarget.playbackRate)}
        {...handlers}
      >
        {captions && <track kind="captions" src={captions} srcLang="en" label="English" />}
      </video>
      <MediaLoadingIndicator slot="centered-chrome" noAutohide />
      <MediaControlBar className="player-bar">
        <MediaPlayButton />
        <MediaSeekBackwardButton seekOffset={10} className="player-wide" />
        <MediaSeekForwardButton seekOffset={10} className="player-wide" />
        <MediaTimeRange />
        <MediaTimeDisplay showDuration noToggle ref={withRole("timer")} />
        <MediaMuteButton className="player-wide" />
        <MediaVolumeRange className="player-roomy" />
        {captions && <MediaCaptionsButton ref={withRole("switch")} />}
        <SpeedButton
          rate={rate}
          onChange={(next) => {
            if (video.current) video.current.playbackRate = next;
          }}
        />
        <MediaPipButton className="player-wide" />
        <MediaFullscreenButton />
      </MediaControlBar>
    </MediaController>
  );
}

/** The library's own roles do not allow the states and names that it gives these elements. */
function withRole(role: string): (element: HTMLElement | null) => void {
  return (element) => element?.setAttribute("role", role);
}

const rates = [1, 1.25, 1.5, 2, 0.75];

/** The library's own is called "Playback rate 1" where it shows "1x", so that speaking what one sees does not find it. */
function SpeedButton({ rate, onChange }: { rate: number; onChange: (rate: number) => void }) {
  const next = rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1;
  return (
    <button
      type="button"
      aria-label={`${rate}x speed`}
      onClick={() => onChange(next)}
      className="player-speed"
      // The player would take these keys for play and pause.
      {...{ keysused: "Enter Space" }}
    >
      {rate}x
    </button>
  );
}
