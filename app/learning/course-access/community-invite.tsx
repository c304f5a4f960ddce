import { useClaims } from "#app/plans/claims.ts";
import { community } from "#content/communities/community.ts";
import { Badge } from "#ui/badge.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";

/** The way to the students' chat server. */
export function CommunityInvite() {
  const claimed = useClaims()?.community;
  return (
    <section
      aria-labelledby="community-title"
      className="grid overflow-hidden rounded-md border-2 border-edge bg-surface lg:grid-cols-[1fr_24rem]"
    >
      <div className="grid content-start justify-items-start gap-5 p-6 sm:p-9">
        {claimed && <Badge tone="tag">{claimed.members}</Badge>}
        <h2 id="community-title" className="wide text-title">
          {community.title}
        </h2>
        <p className="max-w-[56ch] text-ink-soft text-lead">{claimed?.sentence ?? community.sentence}</p>
        <a
          href={community.url}
          target="_blank"
          rel="noreferrer"
          className={buttonStyle({ variant: "tag", size: "large" })}
        >
          {community.action}
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      </div>
      <ul className="grid content-center gap-6 bg-rail p-6 text-rail-ink sm:p-9">
        {community.channels.map(({ name, about }) => (
          <li key={name}>
            <p className="printed text-base">#{name}</p>
            <p className="mt-1 text-rail-soft text-sm">{about}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
