import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { api, messageOf } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { browserZone } from "#app/coaching/coaching-queries.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { Written } from "#app/editing/written.ts";
import { maxSearchLength, RequiredReason } from "#contract/admin/admin.ts";
import {
  type AdminBooking,
  BookingMove,
  bookForStudent,
  cancelForStudent,
  moveForStudent,
  returnSession,
  StudentBooking,
} from "#contract/admin/coaching.ts";
import { listUsers } from "#contract/admin/users.ts";
import { knownZone } from "#contract/coaching/times.ts";
import { Field, Input, Select } from "#ui/controls/field.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { useActForm } from "../act-form.ts";
import { FormDialog } from "../form-dialog.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { nameOf } from "../words.tsx";

/** A coach with whom a session can be booked. */
export interface CoachChoice {
  id: string;
  name: string;
}

interface TimeFieldsProps {
  form: Written<{ coachId: string; startsAt: string }>;
  coaches: readonly CoachChoice[];
}

function TimeFields({ form, coaches }: TimeFieldsProps) {
  return (
    <div className="grid items-end gap-5 sm:grid-cols-2">
      <FormField
        form={form}
        name="coachId"
        label="Coach"
        options={coaches.map(({ id, name }) => [id, name] as const)}
      />
      <FormField form={form} name="startsAt" label="Starts, in your time zone" className="grid-cols-1" />
    </div>
  );
}

/** The student is chosen beside the form. */
const BookingOfStudent = StudentBooking.omit({ userId: true });

interface BookDialogProps {
  coaches: readonly CoachChoice[];
  /** The student to book for. Without it, the administrator searches for one. */
  student?: { id: string; name: string };
  onClose: () => void;
}

export function BookDialog({ coaches, student, onClose }: BookDialogProps) {
  const [found, setFound] = useState("");
  const userId = student?.id ?? found;
  const form = useActForm(BookingOfStudent, {
    kept: `booking-${student?.id ?? "new"}`,
    saved: { coachId: coaches[0]?.id ?? "", startsAt: "", timeZone: knownZone(browserZone()), reason: "" },
    send: (body) => api(bookForStudent, { body: { ...body, userId } }),
    words: { done: "Session booked", failed: "Failed to book the session" },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={student ? `Book a session for ${student.name}` : "Book for a student"}
      description="You can pick any free time, even outside the coach’s hours and without notice. A student who has no sessions left gets an extra one."
      confirm="Book"
      isIncomplete={!userId}
      onClose={() => {
        // It may have been written for another student than the one who is found next.
        if (!student) form.discard();
        onClose();
      }}
    >
      {!student && <FindStudent onFound={setFound} />}
      <TimeFields form={form} coaches={coaches} />
    </FormDialog>
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
    ...queryOf(listUsers, { query: { search: words, limit: 20 } }),
    enabled: isSearched,
  });
  const student = found.some(({ id }) => id === userId) ? userId : (found[0]?.id ?? "");
  useEffect(() => onFound(student), [student, onFound]);
  return (
    <>
      <div className="grid gap-1.5">
        <Field label="Find the student" hint="By name or email.">
          <Input value={search} maxLength={maxSearchLength} onChange={({ target }) => setSearch(target.value)} />
        </Field>
        <p role="status" className="text-sm">
          {isSearched && isSuccess && found.length === 0 && "Nobody matches that name or email."}
          {error && messageOf(error, "We couldn’t search the students. Try again in a moment.")}
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
  const form = useActForm(BookingMove, {
    kept: `move-${booking.id}`,
    saved: { coachId: coach?.id ?? "", startsAt: booking.startsAt, reason: "", version: booking.version },
    send: (body, version) => api(moveForStudent, { params: { id: booking.id }, query: { version }, body }),
    words: { done: "Session moved", failed: "Failed to move the session" },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Move the session with ${booking.studentName}`}
      description={`${formatTimestamp(booking.startsAt)} with ${booking.coachName}. You can pick any free time, even outside the coach’s hours. Both get an email, and their calendars follow.`}
      confirm="Move"
      onClose={onClose}
    >
      <TimeFields form={form} coaches={coaches} />
    </FormDialog>
  );
}

export function CancelDialog({ booking, onClose }: BookingDialogProps) {
  return (
    <ReasonDialog
      about={booking.id}
      title={`Cancel the session with ${booking.studentName}`}
      description={`${formatTimestamp(booking.startsAt)} with ${booking.coachName}. It doesn’t count toward the plan. Both get an email.`}
      confirm="Cancel session"
      isDangerous
      schema={RequiredReason}
      act={(reason = "") => api(cancelForStudent, { params: { id: booking.id }, body: { reason } })}
      words={{ done: "Session cancelled", failed: "Failed to cancel the session" }}
      onClose={onClose}
    />
  );
}

export function ReturnDialog({ booking, onClose }: BookingDialogProps) {
  return (
    <ReasonDialog
      about={booking.id}
      title={`Return a session to ${booking.studentName}`}
      description="The student gets an extra session to book within 60 days. You can return each session once."
      confirm="Return session"
      schema={RequiredReason}
      act={(reason = "") => api(returnSession, { params: { id: booking.id }, body: { reason } })}
      words={{ done: "Session returned", failed: "Failed to return the session" }}
      onClose={onClose}
    />
  );
}
