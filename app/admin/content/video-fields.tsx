import { FormField } from "#app/editing/form-field.tsx";
import type { FormOf, Versioned } from "#app/editing/use-form-of.ts";
import type { LessonContent } from "#contract/admin/content.ts";
import { noVideo, parseVideoId, videoAddressOf, videoIdOf } from "#contract/video-id.ts";
import { Checkbox } from "#ui/controls/field.tsx";
import { LengthField } from "../length-field.tsx";
import { UploadedOrNew } from "../studio/uploaded-or-new.tsx";
import { CaptionFields } from "./captions/caption-fields.tsx";
import { captionFields, captionsOf, hasSameCaptions } from "./captions/languages.ts";
import { lessonLabels } from "./labels.ts";
import { VideoFound } from "./video-found.tsx";
import { VideoPreview } from "./video-preview.tsx";

interface VideoFieldsProps {
  form: FormOf<LessonContent>;
  saved: Versioned<LessonContent>;
  /** Null for a new lesson. */
  lessonId: string | null;
}

/** The video of a lesson, with its length and captions. */
export function VideoFields({ form, saved, lessonId }: VideoFieldsProps) {
  const { videoId, duration } = form.value;
  const savedCaptions = captionsOf(saved);
  const areSaved = hasSameCaptions(form.value, saved);
  const isReplaced = idOf(videoId) !== saved.videoId;

  /** Length and captions of the saved video are not those of another one. */
  function change(typed: string): void {
    const [wasSaved, isSaved] = [!isReplaced, idOf(typed) === saved.videoId];
    form.change({
      videoId: typed,
      ...(wasSaved && !isSaved && areSaved && captionFields([])),
      ...(wasSaved && !isSaved && duration === saved.duration && { duration: 0 }),
      ...(isSaved && { duration: duration || saved.duration }),
      ...(isSaved && captionsOf(form.value).length === 0 && captionFields(savedCaptions)),
    });
  }

  const isNothing = videoId === noVideo;
  const isUpload = parseVideoId(videoId)?.provider === "own";
  // Shows the saved id as the address that a browser opens.
  const shown = isNothing ? "" : isReplaced ? videoId : videoAddressOf(videoId);
  return (
    <>
      <UploadedOrNew
        label="Upload a video"
        videoId={videoId}
        place={lessonId ?? `new in ${saved.moduleId}`}
        onChange={change}
      >
        <FormField
          form={{
            ...form,
            value: { ...form.value, videoId: shown },
            change: ({ videoId: typed = "" }) => change(typed),
          }}
          name="videoId"
          label={lessonLabels.videoId.label}
          hint="Or paste its address on YouTube, Vimeo, Bunny or Mux, or that of an MP4 file or HLS playlist."
          rows={1}
        />
        <Checkbox
          label="No video yet"
          checked={isNothing}
          onChange={({ target }) => change(target.checked ? noVideo : saved.videoId === noVideo ? "" : saved.videoId)}
        />
      </UploadedOrNew>
      {!isNothing && (
        <LengthField
          form={form}
          name="duration"
          empty={0}
          label={lessonLabels.duration.label}
          hint="Minutes and seconds, such as 4:05. Leave empty to use the video’s length."
        />
      )}
      <VideoPreview videoId={videoId} />
      {lessonId !== null && !isUpload && saved.videoId !== noVideo && (
        <VideoFound
          videoId={saved.videoId}
          isSaved={!isReplaced}
          duration={duration}
          onUse={(found) => form.change({ duration: found })}
        />
      )}
      {isReplaced && !isNothing && savedCaptions.length > 0 && (
        <Checkbox
          label="Keep the captions of the earlier video"
          checked={areSaved}
          onChange={({ target }) => form.change(captionFields(target.checked ? savedCaptions : []))}
        />
      )}
      <CaptionFields form={form} />
    </>
  );
}

const idOf = (typed: string) => videoIdOf(typed.trim()) ?? typed;
