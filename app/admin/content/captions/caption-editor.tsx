import { cx } from "class-variance-authority";
import { type KeyboardEvent, memo, Suspense, useEffect, useRef, useState } from "react";
import { type Cue, formatCaptions, formatCueTime, readCaptions } from "#contract/captions.ts";
import { languageName } from "#contract/languages.ts";
import { noVideo, videoIdOf } from "#contract/video-id.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { Field, Input, Textarea } from "#ui/controls/field.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import type { Media } from "#ui/player/media.ts";
import PreviewPlayer from "../preview-player.tsx";
import * as edits from "./cue-edits.ts";

interface CaptionEditorProps {
  language: string;
  videoId: string;
  /** WebVTT, from which the editor begins. */
  captions: string;
  /** Called with WebVTT after each change. */
  onChange: (captions: string) => void;
  onClose: () => void;
}

/** Edits the captions of one language beside the video. A default export, because pages load it lazily. */
export default function CaptionEditor({ language, videoId: typed, captions, onChange, onClose }: CaptionEditorProps) {
  const { cues, selected, canUndo, apply, type, select, undo } = useEdits(captions, onChange);
  const media = useRef<Media | null>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const [spoken, setSpoken] = useState(-1);
  const videoId = videoIdOf(typed.trim()) ?? typed.trim();
  const cue = cues[selected];
  const now = () => Math.round((media.current?.currentTime ?? 0) * 1000);

  function go(at: number): void {
    const next = cues[at];
    if (!next) return;
    select(at);
    if (media.current) media.current.currentTime = next.startsAt / 1000;
  }

  function play(): void {
    if (media.current && cue) media.current.currentTime = cue.startsAt / 1000;
    void media.current?.play();
  }

  function setTime(changes: Partial<Cue>): void {
    apply(edits.inOrder(edits.change(cues, selected, changes), selected));
  }

  function add(): void {
    apply(edits.insert(cues, media.current ? now() : (cues.at(-1)?.endsAt ?? 0)));
    // Once the new caption is shown.
    setTimeout(() => text.current?.focus());
  }

  const shortcuts: Readonly<Record<string, () => void>> = {
    KeyP: () => void (media.current?.paused ? media.current.play() : media.current?.pause()),
    KeyI: () => setTime({ startsAt: now() }),
    KeyO: () => setTime({ endsAt: now() }),
    KeyN: add,
    ArrowUp: () => go(selected - 1),
    ArrowDown: () => go(selected + 1),
  };

  function press(event: KeyboardEvent): void {
    // The place of the key, because Option with a letter types another one on a Mac.
    const act = event.altKey && !event.ctrlKey && !event.metaKey && shortcuts[event.code];
    if (!act) return;
    event.preventDefault();
    act();
  }

  return (
    <Dialog open isWide onOpenChange={onClose} title={`Captions in ${languageName(language)}`}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: listens to shortcuts of the fields within */}
      <div onKeyDown={press} className="grid gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="grid min-w-0 content-start gap-5">
          {videoId === "" || videoId === noVideo ? (
            <p className="rounded-md bg-sunken p-6 text-center text-ink-soft">There is no video to play yet.</p>
          ) : (
            <Suspense fallback={<Skeleton className="aspect-video w-full" />}>
              <PreviewPlayer
                videoId={videoId}
                onMedia={(ready) => {
                  media.current = ready;
                }}
                onTimeUpdate={({ currentTime }) =>
                  setSpoken(
                    cues.findIndex((one) => one.startsAt <= currentTime * 1000 && currentTime * 1000 < one.endsAt),
                  )
                }
              />
            </Suspense>
          )}
          {cue ? (
            <fieldset className="grid gap-4">
              <legend className="mb-2 font-bold text-sm">
                Caption {selected + 1} of {cues.length}
              </legend>
              <div className="grid gap-4 sm:grid-cols-2">
                <TimeField
                  key={`start ${selected}`}
                  label="Start"
                  value={cue.startsAt}
                  onType={(startsAt) => type(edits.change(cues, selected, { startsAt }))}
                  onSettle={() => setTime({})}
                  onNow={() => setTime({ startsAt: now() })}
                />
                <TimeField
                  key={`end ${selected}`}
                  label="End"
                  value={cue.endsAt}
                  onType={(endsAt) => type(edits.change(cues, selected, { endsAt }))}
                  onNow={() => setTime({ endsAt: now() })}
                />
              </div>
              <Field label="Text" error={edits.faultOf(cues, selected)}>
                <Textarea
                  ref={text}
                  value={cue.text}
                  rows={3}
                  lang={language}
                  dir="auto"
                  onChange={({ target }) => type(edits.change(cues, selected, { text: target.value }))}
                />
              </Field>
              <Warnings warnings={edits.warningsOf(cues, selected)} />
              <div className="flex flex-wrap gap-2">
                <Button variant="outline" size="small" onClick={play}>
                  Play from here
                </Button>
                <Button
                  variant="outline"
                  size="small"
                  onClick={() => apply(edits.split(cues, selected, now(), text.current?.selectionStart ?? 0))}
                >
                  Split
                </Button>
                <Button
                  variant="outline"
                  size="small"
                  disabled={selected === cues.length - 1}
                  onClick={() => apply(edits.merge(cues, selected))}
                >
                  Merge with next
                </Button>
                <Button variant="outline" size="small" onClick={() => apply(edits.remove(cues, selected))}>
                  Delete
                </Button>
              </div>
            </fieldset>
          ) : (
            <p className="text-ink-soft">
              No captions yet. Play the video, and add one where somebody starts to speak.
            </p>
          )}
        </div>
        <div className="flex min-h-0 min-w-0 flex-col gap-3">
          <div className="flex flex-wrap items-center gap-2">
            <Button variant="tag" size="small" onClick={add}>
              Add a caption
            </Button>
            <Button variant="quiet" size="small" disabled={!canUndo} onClick={undo}>
              Undo
            </Button>
          </div>
          <CueList cues={cues} selected={selected} spoken={spoken} language={language} onSelect={go} />
          <details className="text-fine text-ink-soft">
            <summary className="cursor-pointer font-semibold">Keyboard</summary>
            <p className="pt-2">
              Alt+P plays or pauses. Alt+I and Alt+O set the start and the end to the player’s time. Alt+N adds a
              caption. Alt+↑ and Alt+↓ go to the previous and the next one.
            </p>
          </details>
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4 border-line border-t pt-5">
        <p className="text-ink-soft text-sm">Save the draft of the lesson to keep your changes.</p>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

const maxUndo = 200;

function useEdits(captions: string, onChange: (captions: string) => void) {
  const [edited, setEdited] = useState<edits.Edited>(() => ({ cues: readCaptions(captions).cues, selected: 0 }));
  const [past, setPast] = useState<readonly edits.Edited[]>([]);
  /** The caption in which the last change was typed: undo takes typing in one caption back together. */
  const [typedIn, setTypedIn] = useState<number | null>(null);

  function put(next: edits.Edited): void {
    setEdited(next);
    onChange(formatCaptions(next.cues));
  }

  return {
    ...edited,
    canUndo: past.length > 0,
    apply(next: edits.Edited) {
      setPast([...past.slice(1 - maxUndo), edited]);
      setTypedIn(null);
      put(next);
    },
    type(cues: edits.Edited["cues"]) {
      if (typedIn !== edited.selected) setPast([...past.slice(1 - maxUndo), edited]);
      setTypedIn(edited.selected);
      put({ ...edited, cues });
    },
    select(selected: number) {
      setTypedIn(null);
      setEdited({ ...edited, selected });
    },
    undo() {
      const last = past.at(-1);
      if (!last) return;
      setPast(past.slice(0, -1));
      setTypedIn(null);
      put(last);
    },
  };
}

interface TimeFieldProps {
  label: string;
  /** Milliseconds. */
  value: number;
  onType: (value: number) => void;
  onSettle?: () => void;
  onNow: () => void;
}

function TimeField({ label, value, onType, onSettle, onNow }: TimeFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && edits.parseTime(typed) === null;
  return (
    <div className="flex items-end gap-2">
      <Field label={label} error={isWrong ? "Write it as 1:02.400." : null} className="min-w-0 flex-1">
        <Input
          value={typed ?? formatCueTime(value)}
          spellCheck={false}
          className="font-mono"
          onChange={({ target }) => {
            setTyped(target.value);
            const time = edits.parseTime(target.value);
            if (time !== null) onType(time);
          }}
          onBlur={() => {
            if (typed === null) return;
            setTyped(null);
            onSettle?.();
          }}
        />
      </Field>
      <Button
        variant="outline"
        aria-label={`Set the ${label.toLowerCase()} to the player’s time`}
        onClick={() => {
          setTyped(null);
          onNow();
        }}
      >
        Set
      </Button>
    </div>
  );
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  return (
    <ul role="status" className="grid gap-1 text-ink-soft text-sm empty:hidden">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}

interface CueListProps {
  cues: readonly Cue[];
  selected: number;
  /** The caption that the player has reached; -1 between them. */
  spoken: number;
  language: string;
  onSelect: (at: number) => void;
}

function CueList({ cues, selected, spoken, language, onSelect }: CueListProps) {
  const list = useRef<HTMLOListElement>(null);
  const latest = useRef(onSelect);
  useEffect(() => {
    latest.current = onSelect;
  });
  // The same function in each rendering, so that the lines keep theirs.
  const [choose] = useState(() => (at: number) => latest.current(at));
  useEffect(() => {
    list.current?.querySelector(`[data-cue="${selected}"]`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);

  function move(event: KeyboardEvent): void {
    const next = { ArrowDown: selected + 1, ArrowUp: selected - 1, Home: 0, End: cues.length - 1 }[event.key];
    if (next === undefined || event.altKey || !cues[next]) return;
    event.preventDefault();
    choose(next);
    list.current?.querySelector<HTMLElement>(`[data-cue="${next}"]`)?.focus();
  }

  return (
    <ol
      ref={list}
      aria-label="Captions"
      lang={language}
      onKeyDown={move}
      className="max-h-[40svh] min-h-24 overflow-y-auto rounded-md border border-line empty:hidden lg:max-h-[60svh]"
    >
      {cues.map((cue, at) => (
        <CueLine
          // biome-ignore lint/suspicious/noArrayIndexKey: captions have no ids
          key={at}
          index={at}
          cue={cue}
          isSelected={at === selected}
          isSpoken={at === spoken}
          mark={edits.faultOf(cues, at) ? "Error" : edits.warningsOf(cues, at).length > 0 ? "Check" : null}
          onSelect={choose}
        />
      ))}
    </ol>
  );
}

interface CueLineProps {
  index: number;
  cue: Cue;
  isSelected: boolean;
  isSpoken: boolean;
  mark: "Error" | "Check" | null;
  onSelect: (at: number) => void;
}

/** Remembered, because a long lesson has thousands. */
const CueLine = memo(function CueLine({ index, cue, isSelected, isSpoken, mark, onSelect }: CueLineProps) {
  return (
    <li className="[content-visibility:auto]">
      <button
        type="button"
        data-cue={index}
        tabIndex={isSelected ? 0 : -1}
        aria-current={isSelected || undefined}
        onClick={() => onSelect(index)}
        className={cx(
          "flex min-h-11 w-full items-baseline gap-3 border-l-4 px-3 py-2 text-left text-sm leading-snug hover:bg-sunken focus-visible:-outline-offset-3",
          isSelected ? "border-tag bg-sunken" : "border-transparent",
          isSpoken && "font-bold",
        )}
      >
        <span className="printed shrink-0 text-ink-soft">{formatCueTime(cue.startsAt)}</span>
        <span dir="auto" className="min-w-0 grow text-start wrap-anywhere">
          {cue.text}
        </span>
        {mark && (
          <span lang="en" className={cx("shrink-0 font-semibold text-fine", mark === "Error" && "text-danger")}>
            {mark}
          </span>
        )}
      </button>
    </li>
  );
});
