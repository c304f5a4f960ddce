import { type ReactNode, useState } from "react";
import { stateWords } from "#app/coaching/coach/state-words.ts";
import { href } from "#contract/addresses.ts";
import { type AdminBooking, type BookingFilter, listAllBookings } from "#contract/admin/coaching.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import type { Column } from "#ui/table.tsx";
import { ListFilters, ListTable, useAdminList } from "../list.tsx";
import { Panel } from "../panel.tsx";
import { type RowAction, RowActions } from "../row-actions.tsx";
import { RowTitle } from "../row-title.tsx";
import { BookDialog, CancelDialog, type CoachChoice, MoveDialog, ReturnDialog } from "./booking-dialogs.tsx";

type Asked = { what: "book" } | { what: "move" | "cancel" | "return"; id: string };

interface BookingsProps {
  title: string;
  coaches: readonly CoachChoice[];
  /** The student whose bookings these are. Without it, they belong to all students. */
  student?: { id: string; name: string };
  /** Shown above the list. */
  children?: ReactNode;
}

/** 1-on-1 sessions, and the actions for each. */
export function Bookings({ title, coaches, student, children }: BookingsProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const action = (what: "move" | "cancel" | "return", label: string, { id }: AdminBooking): RowAction => ({
    label,
    onPress: () => setAsked({ what, id }),
  });
  const columns: Column<AdminBooking>[] = [
    ...(student ? [] : [studentColumn]),
    { key: "coach", label: "Coach", wide: Boolean(student), cell: ({ coachName }) => coachName },
    { key: "startsAt", label: "Starts", cell: ({ startsAt }) => formatTimestamp(startsAt) },
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
        <RowActions
          of={`the session with ${booking.studentName}`}
          actions={
            booking.state === "booked"
              ? [action("move", "Move", booking), action("cancel", "Cancel", booking)]
              : [action("return", "Return", booking)]
          }
        />
      ),
    },
  ];
  const list = useAdminList<AdminBooking, Pick<BookingFilter, "show">>({
    endpoint: listAllBookings,
    query: student ? { userId: student.id } : {},
    label: "1-on-1 sessions, newest first",
    what: "sessions",
    fields: student ? {} : { show },
    columns,
  });
  const chosen = asked && asked.what !== "book" ? list.rows?.find(({ id }) => id === asked.id) : undefined;
  return (
    <Panel
      title={title}
      aside={
        <Button
          variant="outline"
          size="small"
          disabled={coaches.length === 0}
          onClick={() => setAsked({ what: "book" })}
        >
          {student ? "Book a session" : "Book for a student"}
        </Button>
      }
    >
      {children}
      {!student && <ListFilters list={list} />}
      <ListTable isBrief list={list} empty={list.values.show ? "No sessions found" : "No sessions yet"} />
      {asked?.what === "book" && <BookDialog coaches={coaches} {...(student && { student })} onClose={close} />}
      {chosen && asked?.what === "move" && <MoveDialog booking={chosen} coaches={coaches} onClose={close} />}
      {chosen && asked?.what === "cancel" && <CancelDialog booking={chosen} onClose={close} />}
      {chosen && asked?.what === "return" && <ReturnDialog booking={chosen} onClose={close} />}
    </Panel>
  );
}

const show = {
  label: "Which sessions",
  any: "All sessions",
  options: { today: "Today", "without-summary": "Held without a summary" },
};

const studentColumn: Column<AdminBooking> = {
  key: "student",
  label: "Student",
  wide: true,
  cell: ({ userId, studentName }) => <RowTitle to={href.adminUser(userId)} title={studentName} />,
};
