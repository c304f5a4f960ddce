import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useClaims } from "#app/plans/claims.ts";
import { href } from "#contract/addresses.ts";
import type { Chat, Elsewhere } from "#contract/communities.ts";
import { Badge } from "#ui/badge.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { communitiesQuery } from "./communities-query.ts";

/** Links to the students' chat server and to their other communities. */
export function CommunityInvite() {
  const { data, isPending, refetch } = useQuery(communitiesQuery);
  if (isPending) return <PartLoading what="the community" />;
  if (!data) return <PartFailed what="the community" retry={refetch} />;
  return (
    <div className="grid gap-8">
      {data.chat ? <ChatInvite chat={data.chat} /> : <QuestionsInvite />}
      {data.communities.length > 0 && <OtherPlaces communities={data.communities} />}
    </div>
  );
}

/** Without a chat, students meet below the lessons. */
function QuestionsInvite() {
  return (
    <section aria-labelledby="questions-title" className="grid justify-items-start gap-4">
      <h2 id="questions-title" className="wide text-title">
        Questions and answers
      </h2>
      <p className="max-w-[56ch] text-ink-soft">
        Read what students asked about the lessons. You can ask below each lesson, and answer others.
      </p>
      <Link to={href.questions()} className={buttonStyle({ variant: "outline" })}>
        See all questions
      </Link>
    </section>
  );
}

function OtherPlaces({ communities }: { communities: readonly Elsewhere[] }) {
  return (
    <section aria-labelledby="communities-title">
      <h2 id="communities-title" className="font-bold text-heading">
        Also here
      </h2>
      <ul className="mt-3 grid gap-x-(--gutter) sm:grid-cols-2">
        {communities.map(({ label, detail, url }) => (
          <li key={url} className="border-line border-b py-4">
            <a href={url} target="_blank" rel="noreferrer" className="font-bold underline underline-offset-4">
              {label}
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
            <p className="text-ink-soft text-sm">{detail}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChatInvite({ chat }: { chat: Chat }) {
  const claimed = useClaims()?.community;
  return (
    <section
      aria-labelledby="community-title"
      className="grid overflow-hidden rounded-md border-2 border-edge bg-surface lg:grid-cols-[1fr_24rem]"
    >
      <div className="grid content-start justify-items-start gap-5 p-6 sm:p-9">
        {claimed && <Badge tone="tag">{claimed.members}</Badge>}
        <h2 id="community-title" className="wide text-title">
          {chat.title}
        </h2>
        <p className="max-w-[56ch] text-ink-soft text-lead">{claimed?.sentence ?? chat.sentence}</p>
        <a href={chat.url} target="_blank" rel="noreferrer" className={buttonStyle({ variant: "tag", size: "large" })}>
          {chat.action}
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      </div>
      {chat.channels.length > 0 && (
        <ul className="grid content-center gap-6 bg-rail p-6 text-rail-ink sm:p-9">
          {chat.channels.map(({ name, about }) => (
            <li key={name}>
              <p className="printed text-base">#{name}</p>
              <p className="mt-1 text-rail-soft text-sm">{about}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
