import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { useNavigate } from "react-router";
import { catalogueQuery } from "#app/access/catalogue-query.ts";
import { ApiError, api, messageOf } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { href } from "#contract/addresses.ts";
import { bookSession } from "#contract/coaching/coaching.ts";
import type { Slot } from "#contract/coaching/free-days.ts";
import { timeForBoth, timeInZone } from "#contract/coaching/times.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Select, Textarea } from "#ui/controls/field.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import { toast } from "#ui/toast/toast.ts";
import { slotsQuery, useHasNoTimes, useRefreshCoaching } from "./coaching-queries.ts";
import { SlotPicker } from "./slot-picker.tsx";

/** The student chooses a time, describes the problem, and books. Renders nothing while no time is free. */
export function BookSession({ zone }: { zone: string }) {
  const [prep, setPrep] = useResumable("prep", "");
  const [lessonId, setLessonId] = useResumable("prep-lesson", "");
  const navigate = useNavigate();
  const refresh = useRefreshCoaching();
  const book = useMutation({
    mutationFn: ({ coachId, startsAt }: Slot) =>
      api(bookSession, { body: { coachId, startsAt, timeZone: zone, prep: prep.trim(), lessonId: lessonId || null } }),
    onSuccess: (booking) => {
      const { name, timeZone } = booking.coach;
      const words = timeForBoth(booking.startsAt, zone, { name, timeZone }, new Date());
      toast({ title: `Booked for ${words}`, description: "We're emailing you a calendar entry." });
      refresh();
      navigate(href.coachingSession(booking.id));
    },
    onError(error) {
      refresh();
      if (!(error instanceof ApiError)) return;
      // Booked in another tab: this form is about to be replaced by that session, so its own message would vanish.
      if (error.problem?.code === "already-booked") {
        toastFailure("You already have a session", error, "See the one you booked.");
      }
      // The toast links to the sign-in.
      if (error.status === 401) toastFailure("Not booked", error, "Please sign in again.");
    },
  });
  const hasNoTimes = useHasNoTimes();
  if (hasNoTimes) return null;
  return (
    <BookingSection>
      <TimeForm
        zone={zone}
        label="Book this session"
        isPending={book.isPending}
        failure={book.error && messageOf(book.error, "We couldn't book the session. Please try again.")}
        onSubmit={(slot) => book.mutateAsync(slot)}
      >
        <Field label="What are you stuck on?" hint="Bring the numbers of one product. Only your coach reads this.">
          <Textarea rows={4} maxLength={1000} value={prep} onChange={({ target }) => setPrep(target.value)} />
        </Field>
        <LessonChoice value={lessonId} onChange={setLessonId} />
      </TimeForm>
    </BookingSection>
  );
}

/** The part of the page about 1-on-1 sessions to book. */
export function BookingSection({ children }: { children: ReactNode }) {
  return (
    <section aria-labelledby="book-title" className="grid gap-5">
      <h2 id="book-title" className="wide text-title">
        Book a <span className="whitespace-nowrap">1-on-1</span> session
      </h2>
      {children}
    </section>
  );
}

/** The lesson that the session is about. Optional. */
function LessonChoice({ value, onChange }: { value: string; onChange: (lessonId: string) => void }) {
  const { data: modules } = useQuery(catalogueQuery);
  return (
    <Field label="Which lesson is it about? (optional)">
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">No lesson in particular</option>
        {modules
          ?.filter(({ isUnlocked, lessons }) => isUnlocked && lessons.length > 0)
          .map(({ id, title, lessons }) => (
            <optgroup key={id} label={title}>
              {lessons.map((lesson) => (
                <option key={lesson.id} value={lesson.id}>
                  {lesson.title}
                </option>
              ))}
            </optgroup>
          ))}
      </Select>
    </Field>
  );
}

interface TimeFormProps {
  zone: string;
  label: string;
  /** Shown when there are no free times. */
  noTimes?: string;
  isPending: boolean;
  failure: string | null;
  /** Shows its own message when it fails. */
  onSubmit: (slot: Slot) => Promise<unknown>;
  children?: ReactNode;
}

/** The free times, with a form for the chosen one beside them. */
export function TimeForm({ zone, label, noTimes, isPending, failure, onSubmit, children }: TimeFormProps) {
  const { data: slots, isPending: isLoading, isFetching, error, refetch } = useQuery(slotsQuery);
  const [chosen, setChosen] = useResumable<Slot | null>("slot", null);
  const panel = useRef<HTMLDivElement>(null);
  const hasNoTimes = useHasNoTimes();
  const isOffered = ({ coachId, startsAt }: Slot) =>
    slots?.coaches.some((coach) => coach.id === coachId && coach.startsAt.includes(startsAt));
  const slot = chosen && isOffered(chosen) ? chosen : null;
  const { frame } = useForm({
    async send() {
      if (slot) await onSubmit(slot);
    },
  });
  if (isLoading) {
    return (
      <div role="status" aria-label="Loading free times">
        <Skeleton className="h-72" />
      </div>
    );
  }
  if (!slots) {
    return (
      <LoadFailed level={2} title="The free times didn't load" isRetrying={isFetching} retry={refetch}>
        {error instanceof ApiError && error.problem?.message}
      </LoadFailed>
    );
  }
  if (hasNoTimes) return <p className="max-w-[62ch] border-line border-y py-8">{noTimes}</p>;
  const words =
    slot && timeForBoth(slot.startsAt, zone, { name: slot.coachName, timeZone: slot.coachZone }, new Date());
  return (
    <form {...frame} className="grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_21rem]">
      <SlotPicker slots={slots} zone={zone} chosen={slot} onChoose={setChosen} />
      <div
        ref={panel}
        tabIndex={-1}
        className="grid gap-5 rounded-md border-2 border-edge bg-surface p-5 outline-none xl:sticky xl:top-24"
      >
        <p aria-live="polite" className="min-h-18">
          {words ? (
            <>
              <span className="block font-bold">
                {slots.minutes} minutes with {slot.coachName}
              </span>
              {words}
            </>
          ) : (
            <span className="text-ink-soft">Choose a time. Each session lasts {slots.minutes} minutes.</span>
          )}
        </p>
        {children}
        {failure && (
          <p role="alert" className="rounded-sm bg-danger-soft px-4 py-3 font-semibold text-danger text-sm">
            {failure}
          </p>
        )}
        <Button type="submit" variant="tag" size="large" wide disabled={!slot} pending={isPending}>
          {label}
        </Button>
      </div>
      {words && (
        <div className="action-bar z-10 flex items-center justify-between gap-3 border-edge border-t-2 bg-surface py-3 -mx-(--margin) px-(--margin) lg:mx-0 lg:px-0 xl:hidden">
          <span className="min-w-0 text-sm">{timeInZone(slot.startsAt, zone, new Date())}</span>
          <Button
            size="small"
            onClick={() => {
              panel.current?.scrollIntoView({ block: "start" });
              panel.current?.focus({ preventScroll: true });
            }}
          >
            Continue
          </Button>
        </div>
      )}
    </form>
  );
}
