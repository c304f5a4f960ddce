import type { ReactNode } from "react";
import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { zoneOptions } from "#app/coaching/zone-options.ts";
import { Fields, type Labels } from "#app/editing/fields.tsx";
import type { FormOf, Versioned } from "#app/editing/use-form-of.ts";
import { AcademySettings } from "#contract/academy.ts";
import { type AcademyContent, draftSettings } from "#contract/admin/content.ts";
import { Editor } from "../content/editor.tsx";
import { latest } from "../content/items.ts";
import { type FormTab, FormTabs } from "../form-tabs.tsx";
import { CommunitiesFields } from "./communities-fields.tsx";
import {
  certificateLabels,
  communityLabels,
  generalLabels,
  lookLabels,
  receiptLabels,
  reviewLabels,
  settingsLabels,
  supportLabels,
} from "./labels.ts";
import { LookFields } from "./look-fields.tsx";
import { settingsTabs } from "./tabs.ts";

interface SettingsFormProps {
  saved: Versioned<AcademySettings>;
  /** The values of the server's environment variables, which apply where a setting is empty. */
  configured: { supportEmail: string; senderName: string | null };
  plans: AcademyContent["plans"];
}

export function SettingsForm({ saved, configured, plans }: SettingsFormProps) {
  return (
    <Editor
      title="The academy"
      schema={AcademySettings}
      name="settings"
      labels={settingsLabels}
      saved={saved}
      save={(body, version) => api(draftSettings, { query: { version }, body })}
    >
      {(form) => <FormTabs label="Settings" form={form} tabs={tabsOf(form, configured, plans)} />}
    </Editor>
  );
}

type Tabs = (
  form: FormOf<AcademySettings>,
  configured: SettingsFormProps["configured"],
  plans: AcademyContent["plans"],
) => readonly [FormTab, ...FormTab[]];

const tabsOf: Tabs = (form, { supportEmail, senderName }, plans) => [
  {
    ...tabOf("general", generalLabels),
    anchors: ["team"],
    content: (
      <>
        <Fields
          form={form}
          labels={{
            ...generalLabels,
            timeZone: { ...generalLabels.timeZone, options: zoneOptions(form.value.timeZone) },
          }}
        />
        <Elsewhere title="Team sign-in" about="You can require a second factor for everyone on the team.">
          <ElsewhereLink to="/admin/team">Team</ElsewhereLink>
        </Elsewhere>
      </>
    ),
  },
  { ...tabOf("look", lookLabels), isWide: true, content: <LookFields form={form} /> },
  {
    ...tabOf("support", supportLabels),
    content: (
      <Fields
        form={form}
        labels={{
          ...supportLabels,
          supportEmail: {
            label: supportLabels.supportEmail,
            hint: `Leave empty to use ${supportEmail}, which the server is configured with.`,
          },
        }}
      />
    ),
  },
  {
    ...tabOf("communities", communityLabels),
    content: <CommunitiesFields form={form} />,
  },
  {
    ...tabOf("mails", receiptLabels),
    content: (
      <Fields
        form={form}
        labels={{
          ...receiptLabels,
          senderName: {
            label: receiptLabels.senderName,
            hint: `Leave empty to use ${senderName ? `${senderName}, which the server is configured with` : "the name"}.`,
          },
        }}
      />
    ),
  },
  {
    ...tabOf("course", { ...certificateLabels, ...reviewLabels }),
    anchors: ["certificates", "reviews", "coaching"],
    content: (
      <>
        <h3 className="font-bold text-heading">Certificates</h3>
        <Fields form={form} labels={certificateLabels} />
        <h3 className="border-line border-t pt-5 font-bold text-heading">Reviews</h3>
        <Fields form={form} labels={reviewLabels} />
        <Elsewhere title="Coaching" about="Each plan sets how many sessions it includes.">
          {plans.map((plan) => (
            <ElsewhereLink key={plan.id} to={`/admin/content?edit=plan.${plan.id}`}>
              {latest(plan).name}
            </ElsewhereLink>
          ))}
          <ElsewhereLink to="/admin/coaching">Coaches and their hours</ElsewhereLink>
        </Elsewhere>
      </>
    ),
  },
];

const tabOf = (id: keyof typeof settingsTabs, labels: Labels<AcademySettings>) => ({
  id,
  title: settingsTabs[id].title,
  fields: Object.keys(labels),
});

/** What another page edits. */
function Elsewhere({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-3 border-line border-t pt-5">
      <h3 className="font-bold text-heading">{title}</h3>
      <p className="text-ink-soft text-sm">{about}</p>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">{children}</ul>
    </section>
  );
}

function ElsewhereLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <Link to={to} className="inline-flex min-h-9 items-center underline underline-offset-4">
        {children}
      </Link>
    </li>
  );
}
