import { useMutation } from "@tanstack/react-query";
import { type ChangeEvent, useId, useRef } from "react";
import { api, messageOf } from "#app/api/api.ts";
import { pictureLimit, pictureTooLarge, uploadFigure, uploadPicture } from "#contract/admin/pictures.ts";
import { pictureAddress, pictureSize } from "#contract/branding.ts";
import { Button } from "#ui/controls/button.tsx";

interface PictureFieldProps {
  kind: keyof typeof uploads;
  label: string;
  hint: string;
  /** The picture's id, or null if there is none. */
  picture: string | null;
  error: string | undefined;
  onChange: (picture: string | null) => void;
}

/** The call that keeps each kind, and what its buttons say. */
const uploads = {
  logo: { endpoint: uploadPicture, what: "logo" },
  icon: { endpoint: uploadPicture, what: "icon" },
  figure: { endpoint: uploadFigure, what: "picture" },
  portrait: { endpoint: uploadFigure, what: "picture" },
} as const;

/** Uploads a picture at once. The form refers to it once it is saved. */
export function PictureField({ kind, label, hint, picture, error, onChange }: PictureFieldProps) {
  const id = useId();
  const { endpoint, what } = uploads[kind];
  const input = useRef<HTMLInputElement>(null);
  const upload = useMutation({
    mutationFn: (file: File) => {
      if (file.size > pictureLimit) throw new TooLarge(pictureTooLarge);
      const form = new FormData();
      form.set(kind, file);
      return api(endpoint, { form });
    },
    onSuccess: ({ id }) => onChange(id),
  });
  const failed = upload.error && messageOf(upload.error, upload.error instanceof TooLarge ? pictureTooLarge : notSent);
  const wrong = failed ?? error;

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const [file] = target.files ?? [];
    // Lets the same file be chosen again: browsers report only changes.
    target.value = "";
    if (file) upload.mutate(file);
  }

  return (
    <fieldset aria-describedby={`${id}-hint`} className="grid min-w-0 gap-1.5">
      <legend className="float-left w-full font-bold text-sm">{label}</legend>
      <p id={`${id}-hint`} className="text-fine text-ink-soft">
        {hint}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        {picture && (
          <img
            src={pictureAddress(picture)}
            {...pictureSize(picture)}
            alt={`The ${what}`}
            className="h-auto max-h-14 w-auto max-w-60 rounded-sm border border-line bg-[#fffefb] p-1"
          />
        )}
        <input
          ref={input}
          type="file"
          accept="image/png,image/webp,image/jpeg"
          hidden
          aria-label={label}
          onChange={choose}
        />
        <Button variant="outline" size="small" pending={upload.isPending} onClick={() => input.current?.click()}>
          {picture ? `Change ${what}` : `Upload ${what}`}
        </Button>
        {picture && (
          <Button variant="quiet" size="small" disabled={upload.isPending} onClick={() => onChange(null)}>
            Remove {what}
          </Button>
        )}
      </div>
      {wrong && (
        <p role="alert" className="font-semibold text-danger text-fine">
          {wrong}
        </p>
      )}
    </fieldset>
  );
}

const notSent = "We couldn't upload the picture. Try again in a moment.";

class TooLarge extends Error {}
