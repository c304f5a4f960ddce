import type { ReactNode } from "react";
import { noVideo, parseVideoId } from "#contract/video-id.ts";
import { UploadField } from "./upload-field.tsx";
import { VideoState } from "./video-state.tsx";

interface UploadedOrNewProps {
  videoId: string;
  /** The content that shows the video. */
  place: string;
  onChange: (videoId: string) => void;
  /** How else a video is chosen. */
  children: ReactNode;
}

/** The uploaded video with what becomes of it, or ways to choose another one. */
export function UploadedOrNew({ videoId, place, onChange, children }: UploadedOrNewProps) {
  const video = parseVideoId(videoId);
  if (video?.provider === "own") return <VideoState id={video.id} onReplace={() => onChange(noVideo)} />;
  return (
    <>
      <UploadField place={place} onUse={(id) => onChange(`own:${id}`)} />
      {children}
    </>
  );
}
