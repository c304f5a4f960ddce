import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { api, messageOf } from "#app/api/api.ts";
import type { Faults } from "#app/api/use-form.ts";
import { browserZone } from "#app/coaching/coaching-queries.ts";
import {
  type AdminBooking,
  bookForStudent,
  cancelForStudent,
  moveForStudent,
  returnSession,
} from "#contract/admin/coaching.ts";
import { knownZone } from "#contract/coaching/times.ts";
import { Field, Input, Select } from "#ui/controls/field.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { fromLocal, toLocal } from "#ui/format/local-time.ts";
import { usersQuery } from "../admin-queries.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { nameOf } from "../words.tsx";

/** A coach with whom a session can be booked. */
export interface CoachChoice {
  id: string;
  name: string;
}

interface TimeFieldsProps {
  coaches: readonly CoachChoice[];
  value: { coachId: string; startsAt: string };
  faults: Faults;
  onChange: (value: { coachId: string; startsAt: string }) => void;
}

function TimeFields({ coaches, value, faults, onChange }: TimeFieldsProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Coach" name="coachId" error={faults.coachId}>
        <Select value={value.coachId} onChange={({ target }) => onChange({ ...value, coachId: target.value })}>
          {coaches.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        className="grid-cols-1"
        label="Begins, in your time"
        name="startsAt"
        error={faults.startsAt}
        hint="Any time that is free, outside of the hours too."
      >
        <Input
          type="datetime-local"
          value={value.startsAt}
          onChange={({ target }) => onChange({ ...value, startsAt: target.value })}
        />
      </Field>
    </div>
  );
}

interface BookDialogProps {
  coaches: readonly CoachChoice[];
  /** The student to book for. Without it, the administrator searches for one. */
  student?: { id: string; name: string };
  onClose: () => void;
}

export function BookDialog({ coaches, student, onClose }: BookDialogProps) {
  const [found, setFound] = useState("");
  const [time, setTime] = useState({ coachId: coaches[0]?.id ?? "", startsAt: "" });
  const userId = student?.id ?? found;
  const startsAt = fromLocal(time.startsAt);
  return (
    <ReasonDialog
      title={student ? `Book a session for ${student.name}` : "Book for a student"}
      description="Notice periods do not bind you. A student without a session left gets one for it."
      confirm="Book"
      isReasonRequired
      isIncomplete={!userId || !startsAt || !time.coachId}
      act={(reason = "") =>
        api(bookForStudent, {
          body: { userId, coachId: time.coachId, startsAt: startsAt ?? "", timeZone: knownZone(browserZone()), reason },
        })
      }
      words={{ done: "Session booked", failed: "Failed to book the session" }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {!student && <FindStudent onFound={setFound} />}
          <TimeFields coaches={coaches} value={time} faults={faults} onChange={setTime} />
        </>
      )}
    </ReasonDialog>
  );
}

function FindStudent({ onFound }: { onFound: (userId: string) => void }) {
  const [search, setSearch] = useState("");
  const [userId, setUserId] = useState("");
  const words = useDeferredValue(search.trim());
  const isSearched = words.length > 1;
  const {
    data: found = [],
    isSuccess,
    error,
  } = useQuery({
    ...usersQuery({ search: words, limit: 20 }),
    // Shows no results of the previous search while the next one runs.
    placeholderData: () => undefined,
    enabled: isSearched,
  });
  const student = found.some(({ id }) => id === userId) ? userId : (found[0]?.id ?? "");
  useEffect(() => onFound(student), [student, onFound]);
  return (
    <>
      <div className="grid gap-1.5">
        <Field label="Find the student" hint="By name or email.">
          <Input value={search} onChange={({ target }) => setSearch(target.value)} />
        </Field>
        <p role="status" className="text-sm">
          {isSearched && isSuccess && found.length === 0 && "Nobody is found by that name or email."}
          {error && messageOf(error, "The students could not be searched. Try again in a moment.")}
        </p>
      </div>
      {found.length > 0 && (
        <Field label="Student">
          <Select value={student} onChange={({ target }) => setUserId(target.value)}>
            {found.map((user) => (
              <option key={user.id} value={user.id}>
                {nameOf(user) === user.email ? user.email : `${nameOf(user)} (${user.email})`}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </>
  );
}

interface BookingDialogProps {
  booking: AdminBooking;
  onClose: () => void;
}

export function MoveDialog({ booking, coaches, onClose }: BookingDialogProps & { coaches: readonly CoachChoice[] }) {
  // A coach who no longer offers sessions cannot take one over either.
  const coach = coaches.find(({ id }) => id === booking.coachId) ?? coaches[0];
  const [time, setTime] = useState({ coachId: coach?.id ?? "", startsAt: toLocal(booking.startsAt) });
  const startsAt = fromLocal(time.startsAt);
  return (
    <ReasonDialog
      title={`Move the session of ${booking.studentName}`}
      description={`${formatTimestamp(booking.startsAt)} with ${booking.coachName}. The student and the coach get an email, and their calendars follow.`}
      confirm="Move"
      isReasonRequired
      isIncomplete={!startsAt || !time.coachId}
      act={(reason = "") =>
        api(moveForStudent, {
          params: { id: booking.id },
          query: { version: booking.version },
          body: { coachId: time.coachId, startsAt: startsAt ?? "", reason },
        })
      }
      words={{ done: "Session moved", failed: "Failed to move the session" }}
      onClose={onClose}
    >
      {(faults) => <TimeFields coaches={coaches} value={time} faults={faults} onChange={setTime} />}
    </ReasonDialog>
  );
}

export function CancelDialog({ booking, onClose }: BookingDialogProps) {
  return (
    <ReasonDialog
      title={`Cancel the session of ${booking.studentName}`}
      description={`${formatTimestamp(booking.startsAt)} with ${booking.coachName}. It does not count; both get an email.`}
      confirm="Cancel session"
      isDangerous
      isReasonRequired
      act={(reason = "") => api(cancelForStudent, { params: { id: booking.id }, body: { reason } })}
      words={{ done: "Session cancelled", failed: "Failed to cancel the session" }}
      onClose={onClose}
    />
  );
}

export function ReturnDialog({ booking, onClose }: BookingDialogProps) {
  return (
    <ReasonDialog
      title={`Return a session to ${booking.studentName}`}
      description="One more session beside the plan’s own, good for 60 days; once for each session."
      confirm="Return session"
      isReasonRequired
      act={(reason = "") => api(returnSession, { params: { id: booking.id }, body: { reason } })}
      words={{ done: "Session returned", failed: "Failed to return the session" }}
      onClose={onClose}
    />
  );
}
