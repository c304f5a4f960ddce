import { useQuery } from "@tanstack/react-query";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { AdminPage } from "../admin-page.tsx";
import { configuredQuery, contentQuery } from "../admin-queries.ts";
import { DraftsPanel } from "../content/drafts-panel.tsx";
import { draftOf, latest } from "../content/items.ts";
import { SettingsForm } from "./settings-form.tsx";

/** Who runs the academy, and how to reach them: edited as a draft, said everywhere once it is published. */
export default function SettingsPage() {
  const content = useQuery(contentQuery);
  const configured = useQuery(configuredQuery);
  const isPending = content.isPending || configured.isPending;
  return (
    <AdminPage
      title="Settings"
      description="The academy's name, support and seller, edited by administrators."
      lead="Changes are a draft until they are published; then pages, mails and receipts say them at once."
    >
      {isPending ? (
        <PartLoading what="settings" />
      ) : content.data && configured.data ? (
        <div className="grid max-w-3xl gap-8">
          <DraftsPanel drafts={draftOf("settings", content.data.settings, () => "Name, support and seller")} />
          <SettingsForm saved={latest(content.data.settings)} configured={configured.data} />
        </div>
      ) : (
        <PartFailed
          what="the settings"
          retry={() => {
            content.refetch();
            configured.refetch();
          }}
        />
      )}
    </AdminPage>
  );
}

SettingsPage.queries = () => [contentQuery, configuredQuery];
