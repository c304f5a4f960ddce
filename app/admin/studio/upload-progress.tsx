import { useState } from "react";
import { Button } from "#ui/controls/button.tsx";
import { Progress } from "#ui/feedback/progress.tsx";
import { formatWait } from "#ui/format/durations.ts";
import { formatSize } from "#ui/format/numbers.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { cancelSending, pauseSending, resumeSending, type Sending } from "./sending.ts";

/** How far the upload is, with what can be done about it. */
export function UploadProgress({ sending }: { sending: Sending }) {
  const [isCanceling, setIsCanceling] = useState(false);
  const { file, phase, sent, reason } = sending;
  const percent = Math.floor((100 * sent) / file.size);
  const isRunning = phase === "sending" || phase === "waiting";

  return (
    <section aria-label="Upload" className="grid gap-3 rounded-sm bg-sunken p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 font-semibold text-sm wrap-anywhere">{file.name}</p>
        <p className="printed">{percent}%</p>
      </div>
      <Progress value={percent} label={`${file.name}: sent`} />
      <p className="text-fine text-ink-soft">{wordsOf(sending)}</p>
      {/* Announced in steps of ten, so that a screen reader isn't kept busy. */}
      <p role="status" className="sr-only">
        {phase === "sending" ? `Uploading, ${Math.floor(percent / 10) * 10}%` : wordsOf(sending)}
      </p>
      {reason && (
        <p role="alert" className="font-semibold text-danger text-sm">
          {reason}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {isRunning ? (
          <Button variant="outline" size="small" onClick={() => void pauseSending()}>
            Pause
          </Button>
        ) : (
          <Button variant="outline" size="small" onClick={resumeSending}>
            {phase === "failed" ? "Try again" : "Resume"}
          </Button>
        )}
        <Button variant="quiet" size="small" onClick={() => setIsCanceling(true)}>
          Cancel upload
        </Button>
      </div>
      {isCanceling && (
        <CancelDialog
          fileName={file.name}
          description={`We’ll delete the ${percent}% that we have. To go on later, pause it instead.`}
          act={cancelSending}
          onClose={() => setIsCanceling(false)}
        />
      )}
    </section>
  );
}

function wordsOf({ phase, file, sent, rate }: Sending): string {
  const far = `${formatSize(sent)} of ${formatSize(file.size)}`;
  if (phase === "waiting") return `Waiting for the connection. ${far} sent.`;
  if (phase === "paused") return `Paused. ${far} sent.`;
  if (phase === "failed") return `${far} sent.`;
  if (rate === null) return far;
  const seconds = (file.size - sent) / rate;
  const left = seconds < 60 ? "less than a minute left" : `about ${formatWait(seconds)} left`;
  return `${far}, ${formatSize(Math.round(rate))} per second, ${left}`;
}
