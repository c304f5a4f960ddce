import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { type AcademyContent, getConfigured, getContent } from "#contract/admin/content.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { AdminPage } from "../admin-page.tsx";
import { latest, versioned } from "../content/items.ts";
import { DraftsBar } from "../drafts-bar.tsx";
import { SettingsForm } from "./settings-form.tsx";

export default function SettingsPage() {
  return (
    <AdminPage
      title="Settings"
      description="The academy's name, look, support and seller, edited by owners."
      lead="Changes are a draft until you publish them. Then pages, emails, and receipts use them right away."
    >
      <Everything />
    </AdminPage>
  );
}

function Everything() {
  const content = useQuery(queryOf(getContent));
  const configured = useQuery(queryOf(getConfigured));
  if (content.isPending || configured.isPending) return <PartLoading what="settings" />;
  if (content.data && configured.data) {
    return (
      <div className="grid max-w-3xl gap-8">
        <Parts />
        <DraftsBar drafts={content.data.drafts} />
        <SettingsForm saved={versioned(content.data.settings)} configured={configured.data} />
        <Coaching plans={content.data.plans} />
        <TeamSignIn />
      </div>
    );
  }
  return (
    <PartFailed
      what="the settings"
      retry={() => {
        content.refetch();
        configured.refetch();
      }}
    />
  );
}

SettingsPage.queries = () => [queryOf(getContent), queryOf(getConfigured)];

const parts = [
  { id: "look", title: "Look" },
  { id: "support", title: "Support" },
  { id: "communities", title: "Communities" },
  { id: "certificates", title: "Certificates" },
  { id: "mails", title: "Emails, receipts and refunds" },
  { id: "coaching", title: "Coaching" },
  { id: "team", title: "Team sign-in" },
];

function Parts() {
  return (
    <nav aria-label="Parts of this page">
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {parts.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className={linkStyle}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Links to where coaching is edited: what plans promise with each plan, and the hours with each coach. */
function Coaching({ plans }: { plans: AcademyContent["plans"] }) {
  return (
    <section id="coaching" aria-labelledby="coaching-title" className="grid gap-3 border-line border-t pt-5">
      <h2 id="coaching-title" className="font-bold text-heading">
        Coaching
      </h2>
      <p className="text-ink-soft text-sm">How many sessions a plan promises is edited with the plan.</p>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {plans.map((plan) => (
          <li key={plan.id}>
            <Link to={`/admin/content?edit=plan.${plan.id}`} className={linkStyle}>
              {latest(plan).name}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/admin/coaching" className={linkStyle}>
            Coaches and their hours
          </Link>
        </li>
      </ul>
    </section>
  );
}

function TeamSignIn() {
  return (
    <section id="team" aria-labelledby="team-title" className="grid gap-3 border-line border-t pt-5">
      <h2 id="team-title" className="font-bold text-heading">
        Team sign-in
      </h2>
      <p className="text-ink-soft text-sm">
        You can require a second factor for everyone on the team. Turn this on under{" "}
        <Link to="/admin/team" className="underline underline-offset-4">
          Team
        </Link>
        , where you also see who has one.
      </p>
    </section>
  );
}

const linkStyle = "inline-flex min-h-9 items-center underline underline-offset-4";
