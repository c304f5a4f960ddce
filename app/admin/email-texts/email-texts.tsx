import { Link } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { getContent } from "#contract/admin/content.ts";
import { Badge } from "#ui/badge.tsx";
import { useAddress } from "../address.ts";
import { AdminPage } from "../admin-page.tsx";
import { latest } from "../content/items.ts";
import { DraftsBar } from "../drafts-bar.tsx";
import { useLoaded } from "../loaded.tsx";
import { Panel } from "../panel.tsx";
import { EmailForm } from "./email-form.tsx";
import { type AutomaticEmail, isOriginal } from "./email-labels.ts";

export default function EmailTextsPage() {
  return (
    <AdminPage
      title="Automatic emails"
      description="The wording of the emails that students get automatically, edited by administrators."
      lead="Change the subject, heading, and paragraphs of the emails that students get automatically. Changes are drafts until you publish them."
    >
      <Emails />
    </AdminPage>
  );
}

EmailTextsPage.queries = () => [queryOf(getContent)];

function Emails() {
  const { read, write } = useAddress();
  const { data, instead } = useLoaded(queryOf(getContent), "emails");
  if (!data) return instead;
  const edited = data.emails.find(({ id }) => id === read("edit"));
  const groups = [...new Set(data.emails.map(({ group }) => group))];
  return (
    <div className="grid gap-6">
      {edited ? (
        <>
          <button
            type="button"
            onClick={() => write({ edit: null })}
            className="w-fit font-semibold text-sm underline decoration-2 underline-offset-4"
          >
            All automatic emails
          </button>
          <EmailForm key={edited.id} email={edited} />
        </>
      ) : (
        <div className="grid max-w-4xl gap-6">
          <DraftsBar drafts={data.drafts} />
          {groups.map((group) => (
            <Panel key={group} title={group}>
              {group === "Sequences" && (
                <p className="mb-4 max-w-[64ch] text-sm">Turn these emails on and off under Sequences.</p>
              )}
              <ul>
                {data.emails
                  .filter((email) => email.group === group)
                  .map((email) => (
                    <Row key={email.id} email={email} />
                  ))}
              </ul>
            </Panel>
          ))}
          <Panel title="Emails with a fixed wording">
            <p className="max-w-[64ch] text-sm">
              You can’t change emails about these topics: sign-in and security, deleted accounts, invitations, and
              replies to messages. The same goes for emails to your team and coaches.
            </p>
          </Panel>
        </div>
      )}
    </div>
  );
}

const tones = { Draft: "kraft", Outdated: "danger", Changed: "plain" } as const;

function Row({ email }: { email: AutomaticEmail }) {
  const { id, name, sent, draft, outdated } = email;
  const changed = isOriginal(email, latest(email)) ? null : "Changed";
  const state = draft ? "Draft" : Object.keys(outdated).length > 0 ? "Outdated" : changed;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-3 text-sm first:pt-0 last:border-b-0 last:pb-0">
      <div className="min-w-0">
        <Link to={`?edit=${id}`} className="inline-flex min-h-8 items-center font-bold underline underline-offset-4">
          {name}
        </Link>
        <p className="text-ink-soft">{sent}</p>
      </div>
      {state && <Badge tone={tones[state]}>{state}</Badge>}
    </li>
  );
}
