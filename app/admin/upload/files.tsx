import { useState } from "react";
import { extensionOf } from "#app/resources/file-words.ts";
import { resourceFormats } from "#contract/resources.ts";
import { Button } from "#ui/controls/button.tsx";
import { Progress } from "#ui/feedback/progress.tsx";
import { formatSize } from "#ui/format/numbers.ts";
import { DropZone } from "../drop-zone.tsx";

/** The server's limits for one upload. Until they are loaded, the browser does not check. Sizes in bytes. */
interface Limits {
  files: number;
  fileSize: number;
  totalSize: number;
}

interface UploadFilesProps {
  files: readonly File[];
  limits: Limits | undefined;
  fault?: string | undefined;
  /** The percentage sent of each file. Null while nothing is being sent. */
  progress: readonly number[] | null;
  onChange: (files: File[]) => void;
}

/** A drop zone, a file field, and the list of chosen files. */
export function UploadFiles({ files, limits, fault, progress, onChange }: UploadFilesProps) {
  const [refused, setRefused] = useState<string[]>([]);

  function add(chosen: readonly File[]): void {
    const known = new Set(files.map(keyOf));
    const fresh = chosen.filter((file) => !known.has(keyOf(file)));
    const faults = fresh.map((file) => faultOf(file, limits));
    const next = [...files, ...fresh.filter((_, at) => faults[at] === null)];
    const tooMany = limits ? faultOfAll(next, limits) : null;
    setRefused([...faults.filter((one) => one !== null), ...(tooMany ? [tooMany] : [])]);
    if (!tooMany) onChange(next);
  }

  return (
    <div className="grid gap-3">
      <DropZone
        label="Files"
        invitation="Drop files here, or choose them."
        choose="Choose files"
        hint={`${resourceFormats.join(", ").toUpperCase()}${limits ? `; up to ${limits.files} at a time, ${inMegabytes(limits.fileSize)} each` : ""}`}
        accept={resourceFormats.map((format) => `.${format}`).join(",")}
        isMultiple
        isDisabled={progress !== null}
        fault={fault}
        onFiles={add}
      />
      {refused.length > 0 && (
        <div role="alert" className="grid gap-1 font-semibold text-danger text-fine">
          {refused.map((sentence) => (
            <p key={sentence} className="wrap-anywhere">
              {sentence}
            </p>
          ))}
        </div>
      )}
      {files.length > 0 && (
        <ul aria-label="Chosen files" className="border-line border-t">
          {files.map((file, at) => (
            <li
              key={keyOf(file)}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 border-line border-b py-2"
            >
              <div className="min-w-0">
                <p className="font-semibold text-sm leading-snug wrap-anywhere">{file.name}</p>
                <p className="printed text-ink-soft">{formatSize(file.size)}</p>
              </div>
              {progress ? (
                <span className="printed">{progress[at]}%</span>
              ) : (
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={`Remove ${file.name}`}
                  onClick={() => onChange(files.filter((one) => one !== file))}
                >
                  Remove
                </Button>
              )}
              {progress && <Progress value={progress[at] ?? 0} label={`${file.name}: sent`} className="col-span-2" />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function keyOf({ name, size, lastModified }: File): string {
  return `${name} ${size} ${lastModified}`;
}

/** Why a file cannot be uploaded, as far as the browser can tell. Null if it can be tried. */
function faultOf(file: File, limits: Limits | undefined): string | null {
  if (!resourceFormats.some((format) => format === extensionOf(file.name).toLowerCase())) {
    return `${file.name} isn’t an accepted file type.`;
  }
  if (file.size === 0) return `${file.name} is empty.`;
  if (limits && file.size > limits.fileSize) return `${file.name} is larger than ${inMegabytes(limits.fileSize)}.`;
  return null;
}

function faultOfAll(files: readonly File[], limits: Limits): string | null {
  if (files.length > limits.files) return `Upload at most ${limits.files} files at a time.`;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return size > limits.totalSize ? `The files together are larger than ${inMegabytes(limits.totalSize)}.` : null;
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
