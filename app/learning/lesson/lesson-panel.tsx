import { useQuery, useQueryClient } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate, useNavigationType } from "react-router";
import { UpgradePanel } from "#app/access/upgrade-panel.tsx";
import { queryOf } from "#app/api/query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { LessonResources } from "#app/resources/lesson-resources.tsx";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { playLabel, resumeAt } from "#contract/lesson-start.ts";
import { listElsewhere } from "#contract/progress.ts";
import { Badge, Checked, OpensAt } from "#ui/badge.tsx";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { late } from "#ui/feedback/late.tsx";
import { Icon } from "#ui/icon.tsx";
import { useAddressQuery } from "../address-query.ts";
import { CheckOfLesson } from "../checks/check-of-lesson.tsx";
import { usePassedChecks } from "../checks/check-queries.ts";
import { playbackQuery } from "../course-queries.ts";
import {
  type CurrentLesson,
  goesOn,
  lessonMeant,
  lessonQuery,
  useGoesOn,
  useNameInAddress,
  useStart,
} from "../current-lesson.ts";
import { createPlayhead } from "../playhead.ts";
import { lessonAfter, lessonFollowing } from "../progress/numbers.ts";
import type { CourseProgress } from "../progress/progress.ts";
import { QuestionsOfLesson } from "../questions/questions-of-lesson.tsx";
import { BesidePlayer } from "./beside-player.tsx";
import { LessonBody } from "./lesson-body.tsx";
import { allowsExternalVideos, LessonCover, PlayerLoading, videoFrame } from "./lesson-cover.tsx";

// Both are large, and load once a press on the cover is likely.
const [LessonVideo, fetchLessonVideo] = late("the video", async () => {
  const [video] = await Promise.all([import("./lesson-video.tsx"), import("#ui/player/player.tsx").catch(() => null)]);
  return { default: video.LessonVideo };
});
const [AfterLesson, fetchAfterLesson] = late("the next lesson", () => import("./after-lesson.tsx"));
const [Opening] = late("when it opens", () => import("./opening.tsx"));
const [ChangedSince] = late("what changed", () => import("../changes/changed-since.tsx"));
const [PlaysNext] = late("your choice", () => import("#app/access/plays-next.tsx"));

interface LessonPanelProps {
  current: CurrentLesson;
  modules: readonly Module[];
  progress: CourseProgress;
  /** Whether it replaces the list in its module's card. */
  isInCard?: boolean;
}

/** The current lesson: its video, its progress, and links to the next lesson and back. */
export function LessonPanel({ current: { lesson, module }, modules, progress, isInCard = false }: LessonPanelProps) {
  const record = progress.records.get(lesson.id);
  const { user } = useCurrentUser();
  const { data: elsewhere } = useQuery({ ...queryOf(listElsewhere), enabled: Boolean(user) });
  const hasCheck = usePassedChecks().has(lesson.id);
  const next = lessonAfter(modules, lesson.id);
  const start = useStart(lesson.id);
  const nameInAddress = useNameInAddress();
  const { panel, isNamed } = useBroughtIntoView(lesson.id);
  const follows = lessonFollowing(modules, lesson.id);
  const end = useEnd(lesson.id);
  const [playhead] = useState(createPlayhead);
  const isGoingOn = useGoesOn();
  const cover = useCover(isGoingOn);
  const begin = start.at ?? resumeAt(record, lesson.duration);
  const navigate = useNavigate();
  const isElsewhere = useDocumentFor(lesson);
  const queryClient = useQueryClient();
  usePrefetch(cover.isShown || next?.kind === "text" ? null : next);
  const isText = lesson.kind === "text";
  const body = isPlayable(lesson) && lesson.hasBody && <LessonBody lessonId={lesson.id} />;

  function mark(): void {
    const meant = lessonMeant(modules, lesson);
    if (isPlayable(meant)) progress.setCompleted(meant, !progress.records.get(meant.id)?.isCompleted);
  }

  /** Plays from a second, which a part of the page below the video names. */
  function watch(at: number): void {
    cover.press();
    navigate(lessonQuery(lesson.id, at), { preventScrollReset: true });
    show(panel.current);
  }

  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby="lesson-title"
      className={cx(
        "scroll-mt-4 overflow-hidden bg-surface",
        isInCard ? "rounded-sm border border-line-strong" : "rounded-md border-2 border-edge",
      )}
    >
      <BesidePlayer
        lesson={isPlayable(lesson) && !isText ? lesson : null}
        playhead={playhead}
        begin={begin}
        onSeek={(at) => playhead.seek(at) || watch(at)}
        hasNotes={progress.isSaved}
      >
        {!isPlayable(lesson) ? (
          <div className="grid aspect-video max-h-96 w-full place-items-center bg-rail p-6 text-center text-rail-ink">
            <p className="wide text-title">{lesson.isUnlocked ? <OpensAt at={lesson.opensAt} /> : "Locked"}</p>
          </div>
        ) : isText ? null : isElsewhere ? (
          <PlayerLoading picture={lesson.thumbnail} />
        ) : cover.isShown ? (
          <LessonCover
            lesson={lesson}
            isLargest
            label={playLabel(begin)}
            className={`${videoFrame} block focus-visible:-outline-offset-4`}
            onIntent={() => {
              void fetchLessonVideo();
              void queryClient.prefetchQuery(playbackQuery(lesson.id));
            }}
            onPlay={cover.press}
          />
        ) : (
          <div className="relative">
            <Suspense fallback={<PlayerLoading picture={lesson.thumbnail} />}>
              <LessonVideo
                key={`${lesson.id} ${start.visit}`}
                lesson={lesson}
                module={module}
                record={record}
                startAt={start.at}
                startsPlaying={cover.isPressed || isGoingOn}
                onNote={(note, isDue) => progress.note(lesson, note, isDue)}
                onPlay={() => {
                  end.leave();
                  void fetchAfterLesson();
                  cover.forget();
                  nameInAddress(lesson.id);
                }}
                onSeek={end.leave}
                onEnded={end.reach}
                playhead={playhead}
              />
            </Suspense>
            {end.isReached && follows && (
              <Suspense>
                <AfterLesson
                  next={follows}
                  hasChoices={progress.isSaved}
                  lessonId={lesson.id}
                  onGoOn={() => navigate(lessonQuery(follows.lesson.id), { preventScrollReset: true, state: goesOn })}
                  onStay={end.leave}
                  onCancel={() => {
                    end.leave();
                    // The focused button disappears with the offer.
                    panel.current?.focus({ preventScroll: true });
                  }}
                />
              </Suspense>
            )}
          </div>
        )}
      </BesidePlayer>
      <div className="grid gap-5 p-[min(1rem,16px)] sm:p-7">
        <div className="grid gap-3">
          <div className="flex min-h-7 flex-wrap items-center gap-3 print:hidden">
            <p className="printed text-ink-soft">Module {module.position}</p>
            {lesson.isSample && <Badge tone="kraft">Sample video</Badge>}
            {isPlayable(lesson) &&
              (record?.isCompleted ? <Badge tone="success">Completed</Badge> : <Badge tone="tag">In Progress</Badge>)}
            {!record?.isCompleted && elsewhere?.includes(lesson.id) && <Badge tone="plain">Completed elsewhere</Badge>}
          </div>
          <h2 id="lesson-title" className="wide text-title">
            {lesson.title}
          </h2>
          <p className="max-w-[62ch] text-ink-soft">{lesson.description}</p>
          {isPlayable(lesson) && lesson.verifiedAt && <Checked at={lesson.verifiedAt} />}
          {isPlayable(lesson) && record?.isChanged && (
            <Suspense>
              <ChangedSince
                key={lesson.id}
                lessonId={lesson.id}
                playhead={playhead}
                onWatch={(at) => playhead.seek(at) || watch(at)}
              />
            </Suspense>
          )}
        </div>
        {isText && body}
        <div className="flex flex-wrap items-center gap-3 print:hidden">
          {isPlayable(lesson) && (
            <Button
              variant={record?.isCompleted ? "outline" : "tag"}
              // Ignores the second click of a double click, which would undo the first.
              onClick={({ detail }) => detail < 2 && mark()}
            >
              {record?.isCompleted ? "Mark as not completed" : "Mark as Completed"}
            </Button>
          )}
          {isPlayable(lesson) && next && (
            <Link to={lessonQuery(next.id)} preventScrollReset className={buttonStyle({ variant: "outline" })}>
              Next lesson
            </Link>
          )}
          {isNamed && <BackToLessons />}
          {progress.hasUnsaved && (
            <p role="status" className="text-fine text-ink-soft">
              Not saved yet. We’ll keep trying.
            </p>
          )}
        </div>
        {!isText && isPlayable(lesson) && next && progress.isSaved && (
          <Suspense>
            <PlaysNext />
          </Suspense>
        )}
        {!isText && body}
        {!lesson.isUnlocked && <UpgradePanel tier={module.requiredTier} what="This lesson" />}
        {lesson.isUnlocked && lesson.opensAt && (
          <Suspense>
            <Opening lessonId={lesson.id} opensAt={lesson.opensAt} canAsk={progress.isSaved} />
          </Suspense>
        )}
        {lesson.isUnlocked && lesson.comingSoon && !lesson.opensAt && (
          <p>We’re still making this lesson. It will appear here when it’s ready.</p>
        )}
        {isPlayable(lesson) && hasCheck && <CheckOfLesson lessonId={lesson.id} next={next} onWatch={watch} />}
        {user && (
          <QuestionsOfLesson
            lessonId={lesson.id}
            now={isText ? null : () => playhead.at(lesson.id) ?? begin}
            onWatch={watch}
          />
        )}
        <LessonResources lessonId={lesson.id} />
      </div>
    </section>
  );
}

function isPlayable(lesson: Lesson): boolean {
  return lesson.isUnlocked && !lesson.comingSoon;
}

/**
 * The video begins as a cover image, since the player is large. Once it has been opened, the next lessons open it too.
 * In server-rendered pages the button stays when the URL turns out to name a different lesson than the one rendered
 * first, so that an early click plays that lesson.
 */
function useCover(isGoingOn: boolean) {
  const [state, setState] = useState(isGoingOn ? "open" : "covered");
  // Once this has replaced the first HTML: its cover can be pressed while React renders.
  useLayoutEffect(() => {
    if (takeEarlyPress()) setState("pressed");
  }, []);
  return {
    isShown: state === "covered",
    isPressed: state === "pressed",
    press: () => setState("pressed"),
    forget: () => {
      // The script of the first HTML also notes presses on this cover.
      takeEarlyPress();
      setState("open");
    },
  };
}

/**
 * Whether the lesson's video is external and this document may not show it, because it began with a page without
 * lessons. If so, reloads the page before the student presses anything.
 */
function useDocumentFor(lesson: Lesson): boolean {
  const isExternal = isPlayable(lesson) && lesson.kind === "video" && !/^(own|sample):/.test(lesson.videoId ?? "");
  const isElsewhere = isExternal && !allowsExternalVideos();
  useEffect(() => {
    if (isElsewhere) window.location.reload();
  }, [isElsewhere]);
  return isElsewhere;
}

/** Whether the cover in the first HTML was pressed before scripts ran (`site/pages/[...app].astro`). */
function takeEarlyPress(): boolean {
  const { dataset } = document.documentElement;
  const isPressed = "pressed" in dataset;
  delete dataset.pressed;
  return isPressed;
}

/** Whether this lesson has ended and the student has done nothing since. */
function useEnd(lessonId: string) {
  const [ended, setEnded] = useState<string | null>(null);
  return { isReached: ended === lessonId, reach: () => setEnded(lessonId), leave: () => setEnded(null) };
}

/** Links to the page without a selected lesson. */
function BackToLessons() {
  const { pathname } = useLocation();
  return (
    <Link to={pathname} preventScrollReset className={buttonStyle({ variant: "quiet" })}>
      <Icon name="back" className="size-4" />
      Back to lessons
    </Link>
  );
}

/** Prefetches the next lesson's playback URL. */
function usePrefetch(next: Lesson | null): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (next) void queryClient.prefetchQuery(playbackQuery(next.id));
  }, [next, queryClient]);
}

/** Scrolls to a lesson that the student has selected here or on another page, and focuses it. */
function useBroughtIntoView(lessonId: string) {
  const panel = useRef<HTMLElement>(null);
  const query = useAddressQuery();
  const isFollowed = useNavigationType() !== "POP";
  const isNamed = query.get("lesson") === lessonId;
  const shown = useRef(isFollowed && isNamed ? null : lessonId);
  useEffect(() => {
    if (shown.current === lessonId) return;
    shown.current = lessonId;
    show(panel.current);
  }, [lessonId]);
  return { panel, isNamed };
}

function show(panel: HTMLElement | null): void {
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  panel?.scrollIntoView({ behavior: isStill ? "auto" : "smooth" });
  panel?.focus({ preventScroll: true });
}
