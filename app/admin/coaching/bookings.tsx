import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { stateWords } from "#app/coaching/coach/state-words.ts";
import { browserZone } from "#app/coaching/coaching-queries.ts";
import { href } from "#contract/addresses.ts";
import {
  type AdminBooking,
  bookForStudent,
  type CoachingAdministration,
  cancelForStudent,
  moveForStudent,
  returnSession,
} from "#contract/admin/coaching.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input, Select } from "#ui/controls/field.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { fromLocal, toLocal } from "#ui/format/local-time.ts";
import { type Column, Table } from "#ui/table.tsx";
import { usersQuery } from "../admin-queries.ts";
import { Nothing, Panel } from "../panel.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";

type Coach = CoachingAdministration["coaches"][number];
type Asked = { what: "book" } | { what: "move" | "cancel" | "return"; booking: AdminBooking };

/** Every 1-on-1 session to come and of the last month, and what may be done about it. */
export function Bookings({ bookings, coaches }: { bookings: readonly AdminBooking[]; coaches: readonly Coach[] }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const button = (what: "move" | "cancel" | "return", label: string, booking: AdminBooking) => (
    <Button
      variant="quiet"
      size="small"
      className="px-2!"
      aria-label={`${label} the session of ${booking.studentName}`}
      onClick={() => setAsked({ what, booking })}
    >
      {label}
    </Button>
  );
  const columns: Column<AdminBooking>[] = [
    {
      key: "student",
      label: "Student",
      wide: true,
      cell: ({ userId, studentName }) => (
        <Link to={href.adminUser(userId)} className="font-bold underline underline-offset-4">
          {studentName}
        </Link>
      ),
    },
    { key: "coach", label: "Coach", cell: ({ coachName }) => coachName },
    { key: "startsAt", label: "Begins", cell: ({ startsAt }) => formatTimestamp(startsAt) },
    {
      key: "state",
      label: "State",
      cell: ({ state, isForgiven }) => (
        <Badge tone={state === "booked" ? "tag" : state === "missed-by-coach" ? "danger" : "plain"}>
          {stateWords[state]}
          {isForgiven && ", forgiven"}
        </Badge>
      ),
    },
    {
      key: "actions",
      label: "",
      cell: (booking) => (
        <span className="flex flex-wrap gap-1 @max-4xl:-ml-2 @4xl:flex-nowrap">
          {booking.state === "booked" && button("move", "Move", booking)}
          {booking.state === "booked" && button("cancel", "Cancel", booking)}
          {booking.state !== "booked" && button("return", "Return", booking)}
        </span>
      ),
    },
  ];
  return (
    <Panel
      title="1-on-1 sessions"
      aside={
        <Button
          variant="outline"
          size="small"
          disabled={coaches.length === 0}
          onClick={() => setAsked({ what: "book" })}
        >
          Book for a student
        </Button>
      }
    >
      {bookings.length === 0 ? (
        <Nothing>No session in the last 30 days, and none to come.</Nothing>
      ) : (
        <Table caption="1-on-1 sessions, newest first" columns={columns} rows={bookings} rowKey={({ id }) => id} />
      )}
      {asked?.what === "book" && <BookDialog coaches={coaches} onClose={close} />}
      {asked?.what === "move" && <MoveDialog booking={asked.booking} coaches={coaches} onClose={close} />}
      {asked?.what === "cancel" && <CancelDialog booking={asked.booking} onClose={close} />}
      {asked?.what === "return" && <ReturnDialog booking={asked.booking} onClose={close} />}
    </Panel>
  );
}

interface TimeFieldsProps {
  coaches: readonly Coach[];
  value: { coachId: string; startsAt: string };
  onChange: (value: { coachId: string; startsAt: string }) => void;
}

function TimeFields({ coaches, value, onChange }: TimeFieldsProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Coach">
        <Select value={value.coachId} onChange={({ target }) => onChange({ ...value, coachId: target.value })}>
          {coaches
            .filter(({ isActive }) => isActive)
            .map(({ id, settings }) => (
              <option key={id} value={id}>
                {settings.displayName}
              </option>
            ))}
        </Select>
      </Field>
      <Field label="Begins, in your time" hint="Any time that is free, outside of the hours too.">
        <Input
          type="datetime-local"
          value={value.startsAt}
          onChange={({ target }) => onChange({ ...value, startsAt: target.value })}
        />
      </Field>
    </div>
  );
}

function BookDialog({ coaches, onClose }: { coaches: readonly Coach[]; onClose: () => void }) {
  const [search, setSearch] = useState("");
  const [userId, setUserId] = useState("");
  const [time, setTime] = useState({ coachId: coaches.find(({ isActive }) => isActive)?.id ?? "", startsAt: "" });
  const words = useDeferredValue(search.trim());
  const { data: found = [] } = useQuery({
    ...usersQuery({ search: words, limit: 20 }),
    enabled: words.length > 1,
  });
  const student = found.some(({ id }) => id === userId) ? userId : (found[0]?.id ?? "");
  const startsAt = fromLocal(time.startsAt);
  return (
    <ReasonDialog
      title="Book for a student"
      description="Times of notice do not bind you. Without a session left, the student gets one for it."
      confirm="Book"
      isReasonRequired
      isIncomplete={!student || !startsAt || !time.coachId}
      act={(reason = "") =>
        api(bookForStudent, {
          body: { userId: student, coachId: time.coachId, startsAt: startsAt ?? "", timeZone: browserZone(), reason },
        })
      }
      words={{ done: "Session booked", failed: "Failed to book the session" }}
      onClose={onClose}
    >
      <Field label="Find the student" hint="By name or email.">
        <Input value={search} onChange={({ target }) => setSearch(target.value)} />
      </Field>
      {found.length > 0 && (
        <Field label="Student">
          <Select value={student} onChange={({ target }) => setUserId(target.value)}>
            {found.map(({ id, firstName, lastName, email }) => (
              <option key={id} value={id}>
                {[firstName, lastName].filter(Boolean).join(" ")} ({email})
              </option>
            ))}
          </Select>
        </Field>
      )}
      <TimeFields coaches={coaches} value={time} onChange={setTime} />
    </ReasonDialog>
  );
}

interface BookingDialogProps {
  booking: AdminBooking;
  onClose: () => void;
}

function MoveDialog({ booking, coaches, onClose }: BookingDialogProps & { coaches: readonly Coach[] }) {
  const [time, setTime] = useState({ coachId: booking.coachId, startsAt: toLocal(booking.startsAt) });
  const startsAt = fromLocal(time.startsAt);
  return (
    <ReasonDialog
      title={`Move the session of ${booking.studentName}`}
      description="The student and the coach get an email, and their calendars follow."
      confirm="Move"
      isReasonRequired
      isIncomplete={!startsAt}
      act={(reason = "") =>
        api(moveForStudent, {
          params: { id: booking.id },
          body: { coachId: time.coachId, startsAt: startsAt ?? "", reason },
        })
      }
      words={{ done: "Session moved", failed: "Failed to move the session" }}
      onClose={onClose}
    >
      <TimeFields coaches={coaches} value={time} onChange={setTime} />
    </ReasonDialog>
  );
}

function CancelDialog({ booking, onClose }: BookingDialogProps) {
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

function ReturnDialog({ booking, onClose }: BookingDialogProps) {
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
