import { usePlans } from "#app/plans/plans.ts";
import { href } from "#contract/addresses.ts";
import type { Resource } from "#contract/resources.ts";
import { Button } from "#ui/controls/button.tsx";
import { formatSize } from "#ui/format/numbers.ts";
import { Icon } from "#ui/icon.tsx";
import { extensionOf } from "./file-words.ts";
import { useDownload } from "./use-download.ts";

/** Downloads, one per line. Locked ones name the plan that unlocks them. */
export default function ResourceList({ label, resources }: { label: string; resources: readonly Resource[] }) {
  return (
    <ul aria-label={label} className="border-line border-t">
      {resources.map((resource) => (
        <ResourceLine key={resource.id} resource={resource} />
      ))}
    </ul>
  );
}

function ResourceLine({ resource }: { resource: Resource }) {
  const { title, description, fileName, fileSize, isUnlocked, isAvailable } = resource;
  const { download, isStarting } = useDownload();
  return (
    <li className="grid grid-cols-[3.25rem_minmax(0,1fr)] items-center gap-x-4 gap-y-3 border-line border-b py-4 last:border-b-0 last:pb-0 sm:grid-cols-[3.25rem_minmax(0,1fr)_auto]">
      <span
        aria-hidden="true"
        className="printed grid h-14 place-items-center rounded-sm border-[1.5px] border-line-strong bg-surface font-semibold"
      >
        {extensionOf(fileName)}
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className="font-bold leading-snug wrap-anywhere">{title}</p>
        {description && <p className="max-w-[62ch] text-ink-soft text-sm wrap-anywhere">{description}</p>}
        <p className="printed text-ink-soft wrap-anywhere">
          {fileName}, {formatSize(fileSize)}
        </p>
        {!isUnlocked && <OpensWith tier={resource.requiredTier} />}
        {isUnlocked && !isAvailable && (
          <p className="font-bold text-danger text-sm">This file isn't available right now. Please try again later.</p>
        )}
      </div>
      <Button
        variant={isUnlocked && isAvailable ? "tag" : "outline"}
        size="small"
        className="col-start-2 justify-self-start sm:col-start-auto"
        aria-label={isUnlocked ? `Download ${title}` : `Download ${title}, locked`}
        pending={isStarting}
        onClick={() => download(resource)}
      >
        {isUnlocked ? "Download" : <Padlock />}
        {!isUnlocked && "Locked"}
      </Button>
    </li>
  );
}

function OpensWith({ tier }: { tier: Resource["requiredTier"] }) {
  const plan = usePlans().find((one) => one.tier === tier);
  return (
    <p className="text-sm">
      Opens with{" "}
      <a href={href.pricing(tier)} className="font-bold underline decoration-2 underline-offset-4">
        {plan?.name ?? tier}
      </a>
    </p>
  );
}

function Padlock() {
  return <Icon name="lock" className="size-4" />;
}
