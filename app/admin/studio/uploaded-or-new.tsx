import type { ReactNode } from "react";
import { noVideo, parseVideoId } from "#contract/video-id.ts";
import { UploadField } from "./upload-field.tsx";
import { VideoState } from "./video-state.tsx";

interface UploadedOrNewProps {
  videoId: string;
  /** Of the field for an upload. */
  label: string;
  /** The content that shows the video. */
  place: string;
  onChange: (videoId: string) => void;
  /** How else a video is chosen. */
  children: ReactNode;
}

/** The uploaded video with what becomes of it, or ways to choose another one. */
export function UploadedOrNew({ videoId, onChange, children, ...field }: UploadedOrNewProps) {
  const video = parseVideoId(videoId);
  if (video?.provider === "own") return <VideoState id={video.id} onReplace={() => onChange(noVideo)} />;
  return (
    <>
      <UploadField {...field} onUse={(id) => onChange(`own:${id}`)} />
      {children}
    </>
  );
}
