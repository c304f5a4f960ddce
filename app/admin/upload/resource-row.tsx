import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { useDownload } from "#app/resources/use-download.ts";
import type { Resource } from "#contract/resources.ts";
import { Badge } from "#ui/badge.tsx";
import { formatSize } from "#ui/format/numbers.ts";
import { RowActions } from "../row-actions.tsx";
import { rowTitleStyle } from "../row-title.tsx";
import { TierBadge } from "../words.tsx";
import type { ModuleChoice } from "./modules.ts";

interface ResourceRowProps {
  resource: Resource;
  modules: readonly ModuleChoice[];
  onAsk: (what: "edit" | "delete") => void;
  /** More buttons. */
  children?: ReactNode;
}

export function ResourceRow({ resource, modules, onAsk, children }: ResourceRowProps) {
  const { title, description, fileName, fileSize, downloadCount, requiredTier, isActive, isAvailable } = resource;
  const { download, isStarting } = useDownload();
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 border-line border-b py-4 last:border-b-0 last:pb-0">
      <div className="grid min-w-0 gap-1">
        <h3 className="leading-snug">
          <button type="button" className={cx("text-left", rowTitleStyle)} onClick={() => onAsk("edit")}>
            {title}
          </button>
        </h3>
        <p className="text-ink-soft text-sm">{belongsTo(resource, modules)}</p>
        {description && <p className="max-w-[62ch] text-sm wrap-anywhere">{description}</p>}
        <p className="printed text-ink-soft wrap-anywhere">
          {fileName}, {formatSize(fileSize)}, {downloadCount === 1 ? "1 download" : `${downloadCount} downloads`}
        </p>
        <p className="mt-1 flex flex-wrap gap-2">
          <TierBadge tier={requiredTier} />
          {!isActive && <Badge>Hidden</Badge>}
          {!isAvailable && <Badge tone="danger">File missing</Badge>}
        </p>
        {!isAvailable && (
          <p className="max-w-[62ch] text-sm">
            File storage doesn’t have this file, so students can’t download it right now. If it’s lost, upload it again.
          </p>
        )}
      </div>
      <div className="flex items-start gap-2">
        {children}
        <RowActions
          of={title}
          actions={[
            { label: "Edit", onPress: () => onAsk("edit") },
            isAvailable && { label: "Download", isPending: isStarting, onPress: () => download(resource) },
            { label: "Delete", isDangerous: true, onPress: () => onAsk("delete") },
          ]}
        />
      </div>
    </li>
  );
}

function belongsTo({ moduleId, lessonId }: Resource, modules: readonly ModuleChoice[]): string {
  const module = modules.find(({ id }) => id === moduleId);
  const lesson = module?.lessons.find(({ id }) => id === lessonId);
  const moduleName = module ? `${module.position}. ${module.title}` : moduleId;
  return lesson ? `${moduleName}: ${lesson.title}` : moduleName;
}
