import { useQuery } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { getConfigured, getContent } from "#contract/admin/content.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { AdminPage } from "../admin-page.tsx";
import { versioned } from "../content/items.ts";
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
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <DraftsBar drafts={content.data.drafts} />
        <SettingsForm
          saved={versioned(content.data.settings)}
          configured={configured.data}
          plans={content.data.plans}
        />
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
