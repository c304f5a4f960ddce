import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { toastRefusal } from "#app/identity/failure-toast.ts";
import { usePlans } from "#app/plans/plans.ts";
import { resourcesQuery } from "#app/resources/resource-queries.ts";
import { deleteResource, moveResource, type Resource } from "#contract/resources.ts";
import { PartLoading } from "#ui/feedback/part.tsx";
import { Retry } from "#ui/feedback/retry.tsx";
import { toast } from "#ui/toast/toast.ts";
import { useAct } from "../act.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { useAddress } from "../address.ts";
import { Filter, FilterBar, SearchBox } from "../filters.tsx";
import { Movers } from "../movers.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { UploadEdit } from "./edit.tsx";
import type { ModuleChoice } from "./modules.ts";
import { ResourceRow } from "./resource-row.tsx";

interface Asked {
  what: "edit" | "delete";
  /** As it was when the dialog opened. */
  resource: Resource;
}

/** The existing resources, filtered by title, module and tier. The filter is in the URL. */
export function UploadedResources({ modules }: { modules: readonly ModuleChoice[] }) {
  const { read, write } = useAddress();
  const { data, isPending, refetch } = useQuery(resourcesQuery);
  const plans = usePlans();
  const [title, moduleId, tier] = [read("title"), read("module"), read("tier")];
  if (isPending) return <PartLoading what="resources" />;
  if (!data) return <FetchFailed retry={refetch} />;
  const found = data.filter(
    (resource) =>
      resource.title.toLowerCase().includes(title.toLowerCase()) &&
      (moduleId === "" || resource.moduleId === moduleId) &&
      (tier === "" || resource.requiredTier === tier),
  );
  return (
    <Panel
      title="Existing resources"
      aside={<span className="printed text-ink-soft">{`${found.length} of ${data.length}`}</span>}
    >
      <FilterBar label="Find resources">
        <SearchBox
          label="Search by title"
          value={title}
          onChange={(value) => write({ title: value }, { replace: true })}
        />
        <Filter
          label="Module"
          value={moduleId}
          options={[
            ["", "All modules"],
            ...modules.map(({ id, position, title }) => [id, `${position}. ${title}`] as const),
          ]}
          onChange={(value) => write({ module: value }, { replace: true })}
        />
        <Filter
          label="Plan"
          value={tier}
          options={[["", "All plans"], ...plans.map((plan) => [plan.tier, plan.name] as const)]}
          onChange={(value) => write({ tier: value }, { replace: true })}
        />
      </FilterBar>
      <ResourceRows resources={found} all={data} modules={modules} />
    </Panel>
  );
}

interface ResourceRowsProps {
  resources: readonly Resource[];
  /** Of the course. An edited resource may leave the shown ones. */
  all: readonly Resource[];
  modules: readonly ModuleChoice[];
  /** Whether they are all of one lesson, and so can be ordered. */
  areOrdered?: boolean;
}

export function ResourceRows({ resources, all, modules, areOrdered = false }: ResourceRowsProps) {
  const queryClient = useQueryClient();
  const move = useAct(
    ({ id, before }: { id: string; before: string }) => api(moveResource, { params: { id }, body: { before } }),
    { done: "Order changed", failed: "Failed to change the order" },
    () => queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey }),
  );
  // Not in the row: the list is refetched, and the edited resource may no longer match the filter.
  const [asked, setAsked] = useResumable<Asked | null>("resource", null);
  const close = () => setAsked(null);
  const edited = all.find(({ id }) => id === asked?.resource.id);
  return (
    <>
      {resources.length > 0 ? (
        <ul aria-label="Resources" className="border-line border-t">
          {resources.map((resource, at) => (
            <ResourceRow
              key={resource.id}
              resource={resource}
              modules={modules}
              onAsk={(what) => setAsked({ what, resource })}
            >
              {areOrdered && (
                <Movers
                  items={resources}
                  at={at}
                  title={resource.title}
                  isMoving={move.isPending}
                  onMove={move.mutate}
                />
              )}
            </ResourceRow>
          ))}
        </ul>
      ) : (
        <Nothing>{all.length === 0 ? "No resources uploaded yet" : "No resources match"}</Nothing>
      )}
      {asked?.what === "edit" && (
        <UploadEdit resource={edited ?? asked.resource} isGone={!edited} modules={modules} onClose={close} />
      )}
      {asked?.what === "delete" && <DeleteDialog resource={asked.resource} onClose={close} />}
    </>
  );
}

function FetchFailed({ retry }: { retry: () => unknown }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-4 border-danger border-y py-6">
      <p>Failed to fetch resources</p>
      <Retry size="small" variant="outline" retry={retry} />
    </div>
  );
}

function DeleteDialog({ resource, onClose }: { resource: Resource; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({
    async send() {
      try {
        await api(deleteResource, { params: { id: resource.id } });
        toast({ title: "Resource deleted successfully" });
        onClose();
      } finally {
        // Also after a failure: somebody else may have deleted it.
        queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey });
      }
    },
    onFailed: (error) => toastRefusal("Delete Failed", error, "Could not delete resource."),
  });
  return (
    <ActionDialog
      title={`Delete “${resource.title}”?`}
      description="The file is removed from the course and from file storage. This can’t be undone."
      confirm="Delete"
      isDangerous
      form={form}
      onClose={onClose}
    />
  );
}
