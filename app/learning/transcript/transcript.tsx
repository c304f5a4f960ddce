import { queryOptions, useQuery } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import {
  type KeyboardEvent,
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { answer, textOf } from "#app/api/api.ts";
import { type Cue, parseCaptions } from "#contract/captions.ts";
import { languageName } from "#contract/languages.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { Button } from "#ui/controls/button.tsx";
import { Input, Select } from "#ui/controls/field.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { chooseCaptions, useCaptionLanguage } from "#ui/player/caption-choice.ts";
import { toast } from "#ui/toast/toast.ts";
import { playbackQuery } from "../course-queries.ts";
import type { Playhead } from "../playhead.ts";
import { cueAt, findWords, lineOf, textOfCues } from "./cues.ts";

interface TranscriptProps {
  lessonId: string;
  playhead: Playhead;
  /** Plays the lesson from this second. */
  onSeek: (second: number) => void;
}

const captionsQuery = (url: string) =>
  queryOptions({
    queryKey: ["captions", url],
    queryFn: async () => parseCaptions(await textOf(await answer(url, { credentials: "same-origin" }))),
  });

const firstLines = 100;

/** What is said in the lesson, from its captions. */
export default function Transcript({ lessonId, ...rest }: TranscriptProps) {
  const playback = useQuery(playbackQuery(lessonId));
  const files = playback.data?.captions ?? [];
  const languages = files.map(({ language }) => language);
  const language = useCaptionLanguage(languages);
  const url = files.find((file) => file.language === language)?.url ?? null;
  const captions = useQuery({ ...captionsQuery(url ?? ""), enabled: url !== null });
  const failed = [playback, captions].find(({ isError }) => isError);
  if (failed) return <PartFailed what="the transcript" retry={failed.refetch} />;
  if (!playback.data || (url && !captions.data)) return <PartLoading what="the transcript" className="h-36" />;
  if (!captions.data?.length) return <p className="text-ink-soft text-sm">This lesson has no transcript.</p>;
  return (
    <>
      {languages.length > 1 && (
        <div className="mb-2 print:hidden">
          <Select
            aria-label="Language of the transcript"
            value={language}
            onChange={({ target }) => chooseCaptions({ language: target.value })}
            className="min-h-9! py-1 text-sm"
          >
            {languages.map((one) => (
              <option key={one} value={one} lang={one}>
                {languageName(one, one)}
              </option>
            ))}
          </Select>
        </div>
      )}
      <Cues key={language} lessonId={lessonId} cues={captions.data} language={language} {...rest} />
    </>
  );
}

interface CuesProps extends TranscriptProps {
  cues: readonly Cue[];
  language: string | undefined;
}

function Cues({ lessonId, cues, language, playhead, onSeek }: CuesProps) {
  const [typed, setTyped] = useState("");
  const words = useDeferredValue(typed);
  const found = useMemo(() => findWords(cues, words), [cues, words]);
  const current = useSyncExternalStore(playhead.subscribe, () => cueAt(cues, playhead.at(lessonId) ?? -1));
  const [chosen, setChosen] = useState<number | null>(null);
  const matching = useMemo(() => cues.map((_, at) => at).filter((at) => !found || found.has(at)), [cues, found]);
  // The first lines at once. A long lesson has thousands, whose drawing may be interrupted.
  const shown = useDeferredValue(matching, matching.slice(0, firstLines));
  const { list, isAway, look, goTo } = useFollowing(current, shown);
  const tabbable = [chosen ?? current, shown[0]].find((at) => at !== undefined && shown.includes(at));

  const latest = useRef(onSeek);
  useEffect(() => {
    latest.current = onSeek;
  });
  // The same function in each rendering, so that the lines keep theirs.
  const seek = useCallback(
    (at: number) => {
      setChosen(at);
      latest.current((cues[at]?.startsAt ?? 0) / 1000);
    },
    [cues],
  );

  function move(event: KeyboardEvent<HTMLElement>): void {
    const at = shown.indexOf(Number((event.target as HTMLElement).dataset.cue));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    const index = next === undefined ? undefined : shown[next];
    if (index === undefined) return;
    event.preventDefault();
    setChosen(index);
    event.currentTarget.querySelector<HTMLElement>(`[data-cue="${index}"]`)?.focus();
  }

  return (
    <div className="flex min-h-0 grow flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <Input
          type="search"
          aria-label="Search the transcript"
          placeholder="Search"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          dir="auto"
          className="min-h-9! flex-[1_1_8rem] py-1 text-sm"
        />
        <Button variant="quiet" size="small" onClick={() => copy(textOfCues(cues))}>
          Copy
        </Button>
        <Button variant="quiet" size="small" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <p role="status" className="text-fine text-ink-soft empty:hidden print:hidden">
        {found && (found.size === 1 ? "1 line found" : `${found.size} lines found`)}
      </p>
      <div className="relative flex min-h-0 grow flex-col">
        <ol
          ref={list}
          lang={language}
          aria-label="Transcript"
          onScroll={look}
          onKeyDown={move}
          className="max-h-[45svh] min-h-24 overflow-y-auto @min-[56rem]:max-h-none print:max-h-none print:overflow-visible"
        >
          {shown.map((at) => (
            <Line
              key={at}
              index={at}
              cue={cues[at] as Cue}
              isCurrent={at === current}
              isTabbable={at === tabbable}
              onSeek={seek}
            />
          ))}
        </ol>
        {isAway && !found && (
          <Button
            variant="action"
            size="small"
            onClick={() => goTo(current)}
            className="absolute! right-4 bottom-2 shadow-raised print:hidden"
          >
            Go to the current line
          </Button>
        )}
      </div>
    </div>
  );
}

interface LineProps {
  index: number;
  cue: Cue;
  isCurrent: boolean;
  isTabbable: boolean;
  onSeek: (index: number) => void;
}

/** Remembered, because a long lesson has thousands. */
const Line = memo(function Line({ index, cue, isCurrent, isTabbable, onSeek }: LineProps) {
  return (
    <li className="[contain-intrinsic-block-size:auto_2.25rem] [content-visibility:auto] print:[content-visibility:visible]">
      <button
        type="button"
        data-cue={index}
        tabIndex={isTabbable ? 0 : -1}
        aria-current={isCurrent || undefined}
        onClick={() => onSeek(index)}
        className={cx(
          "flex min-h-9 w-full items-baseline gap-3 border-l-4 px-2 py-1.5 text-left text-sm leading-snug hover:bg-sunken focus-visible:-outline-offset-3",
          isCurrent ? "border-tag bg-sunken font-bold" : "border-transparent",
        )}
      >
        <span className="printed w-11 shrink-0 text-ink-soft">{formatSecond(cue.startsAt / 1000)}</span>
        <span dir="auto" className="min-w-0 grow text-start wrap-anywhere">
          {lineOf(cue.text)}
        </span>
      </button>
    </li>
  );
});

/** Scrolls the list to each new current line, unless the reader has scrolled the last one out of sight. */
function useFollowing(current: number, shown: readonly number[]) {
  const list = useRef<HTMLOListElement>(null);
  const [isAway, setIsAway] = useState(false);
  const isFollowing = useRef(true);
  const isOurScroll = useRef(false);

  const goTo = useCallback((index: number) => {
    const frame = list.current;
    const line = lineIn(frame, index);
    if (!frame || !line) return;
    const { top, height } = line.getBoundingClientRect();
    const box = frame.getBoundingClientRect();
    if (!isIn(box, top, top + height)) {
      isOurScroll.current = true;
      frame.scrollTop += top - box.top - (box.height - height) / 3;
    }
    isFollowing.current = true;
    setIsAway(false);
  }, []);
  useEffect(() => {
    // Also once the line is drawn.
    if (isFollowing.current && shown.includes(current)) goTo(current);
  }, [current, shown, goTo]);

  function look(): void {
    if (isOurScroll.current) {
      isOurScroll.current = false;
      // Lines that had not been drawn before may be higher than estimated.
      goTo(current);
      return;
    }
    const line = lineIn(list.current, current);
    if (!line || !list.current) return;
    const { top, bottom } = line.getBoundingClientRect();
    const box = list.current.getBoundingClientRect();
    isFollowing.current = bottom > box.top && top < box.bottom;
    setIsAway(!isFollowing.current);
  }

  return { list, isAway, look, goTo };
}

function lineIn(list: HTMLElement | null, index: number): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-cue="${index}"]`) ?? null;
}

function isIn(box: DOMRect, top: number, bottom: number): boolean {
  return top >= box.top && bottom <= box.bottom;
}

async function copy(text: string): Promise<void> {
  try {
    // Browsers offer the clipboard only in secure contexts.
    await navigator.clipboard.writeText(text);
    toast({ title: "Transcript copied" });
  } catch {
    toast({ title: "Not copied", description: "Your browser doesn’t allow it here. Try Print.", destructive: true });
  }
}
