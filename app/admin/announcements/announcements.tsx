import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { catalogueQuery } from "#app/access/catalogue-query.ts";
import {
  type Announcement,
  type Audience,
  filterIn,
  listAnnouncements,
  selectionIn,
} from "#contract/admin/announcements.ts";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { useAddress } from "../address.ts";
import { AdminPage } from "../admin-page.tsx";
import { firstPageOf, isMissing } from "../list.tsx";
import { Nothing } from "../panel.tsx";
import { List } from "./announcement-list.tsx";
import { announcementQuery } from "./announcement-queries.ts";
import { DraftEditor } from "./draft-editor.tsx";
import { LeftAnnouncement } from "./left-over.tsx";
import { Scheduled } from "./scheduled.tsx";
import { Sending } from "./sending.tsx";

/** Emails to many users: written, tested, sent at a limited rate, paused and stopped. The URL names the open one. */
export default function AnnouncementsPage() {
  const { read, write } = useAddress();
  const open = read("open");
  const [created, setCreated] = useState("");
  const shown =
    open === "new" ? (
      <Draft open="new" saved={null} onCreated={setCreated} />
    ) : (
      <Opened key={open} id={open} isCreated={open === created} />
    );
  return (
    <AdminPage
      title="Announcements"
      description="Emails to all students or to some of them, for administrators."
      lead="Emails to students who have confirmed their address. Each one has a link to unsubscribe. We don’t track opens."
      actions={
        open ? (
          <Button
            variant="outline"
            onClick={() => {
              setCreated("");
              write({ open: null, to: null });
            }}
          >
            All announcements
          </Button>
        ) : (
          <Button onClick={() => write({ open: "new" })}>New announcement</Button>
        )
      }
    >
      {open ? shown : <List />}
    </AdminPage>
  );
}

AnnouncementsPage.queries = () => [firstPageOf(listAnnouncements), catalogueQuery];

function Opened({ id, isCreated }: { id: string; isCreated: boolean }) {
  const { data, error, isPending, refetch } = useQuery(announcementQuery(id));
  if (isPending) return <PartLoading what="announcement" />;
  const found = isMissing(error) ? null : data;
  if (found === undefined) return <PartFailed what="the announcement" retry={refetch} />;
  if (found?.state === "draft") return <Draft open={id} saved={found} isCreated={isCreated} />;
  return (
    <div className="grid gap-6">
      <LeftAnnouncement open={id} sent={found} />
      {found?.state === "scheduled" ? (
        <Scheduled announcement={found} />
      ) : found ? (
        <Sending announcement={{ ...found, state: found.state }} />
      ) : (
        <Nothing>We couldn’t find this announcement.</Nothing>
      )}
    </div>
  );
}

interface DraftProps {
  open: string;
  saved: Announcement | null;
  isCreated?: boolean;
  onCreated?: (id: string) => void;
}

function Draft({ open, saved, isCreated = false, onCreated }: DraftProps) {
  const { read, write } = useAddress();
  return (
    <DraftEditor
      key={open}
      saved={saved}
      to={audienceIn(read("to"))}
      isCreated={isCreated}
      onSaved={({ id }) => {
        onCreated?.(id);
        write({ open: id, to: null }, { replace: true });
      }}
      onGone={() => write({ open: null, to: null }, { replace: true })}
    />
  );
}

/** An audience from the list of users. Null for any other text. */
function audienceIn(text: string): Audience | null {
  return selectionIn(text) || filterIn(text) ? text : null;
}
